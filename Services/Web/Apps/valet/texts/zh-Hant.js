// The valet app's texts in Traditional Chinese.

export default {
  'state.offline': '您已離線。現顯示最新取得的資料；恢復連線後會傳送您的更改。',
  'nav.label': '主選單', 'nav.jobs': '工作', 'nav.tasks': '雜務', 'nav.earnings': '收入', 'nav.profile': '個人',
  'outbox.expired': '「{label}」未能及時傳送。',

  'shift.label': '您的當值狀態', 'shift.available': '可接單', 'shift.onBreak': '小休', 'shift.offline': '下班', 'shift.changing': '請稍候…', 'shift.queued': '您已離線，恢復連線後才會更改當值狀態。', 'shift.toJob': '前往工作',
  'shift.offline.means': '您已下班，不會獲派工作，位置亦不會分享。', 'shift.onBreak.means': '小休中。當值繼續計時，但不會有新工作。',
  'shift.busy.means': '您有進行中的工作，期間不會再派單。', 'shift.available.means': '隨時可接單。', 'shift.available.accuracy': '定位準確至 {meters} 米。',
  'position.denied': '位置存取已關閉，您不會獲派工作。', 'position.denied.help': '請在瀏覽器設定中允許本網站存取位置，然後再試。',
  'position.lost': '我們已收不到您的位置。', 'position.silent': '我們已有 {time}收不到您的位置，您不會獲派工作。', 'position.silent.job': '我們已有 {time}收不到您的位置，客人看不到您在哪裏。', 'position.unavailable': '手機暫時無法定位。沒有位置便不會獲派工作。', 'position.outside': '您在服務範圍以外，不會獲派工作。', 'position.first': '正在定位…',

  'jobs.dropOff': '接車', 'jobs.return': '送車', 'jobs.dropOff.none': '今日沒有接車工作。', 'jobs.return.none': '今日沒有送車工作。', 'jobs.all': '所有工作',
  'jobs.none': '今日尚無工作', 'jobs.none.available': '請留在客人多的地方：最近的泊車員會獲派工作。', 'jobs.none.off': '開始當值便可接單。', 'jobs.none.ever': '您的第一份工作會在此顯示。',
  'job.title': '工作', 'job.now': '進行中', 'job.customer': '客人', 'job.vehicle': '車輛', 'job.meetingPoint': '會面地點', 'job.steps': '工作步驟', 'job.place': '停泊於', 'job.noPlace': '未有記下停車場：請按地圖前往。', 'job.noPlate': '車牌不詳',
  'job.arrived': '您已到達', 'job.straight': '直線距離', 'job.done.dropOff': '{time} 泊好', 'job.done.return': '{time} 送回', 'job.done.cancelled': '{time} 取消',
  'job.parked.text': '{time} 泊好。您可接新工作。', 'job.handedBack.text': '{time} 交還。您可接新工作。',
  'job.lost': '此工作已不屬於您', 'job.lost.text': '工作已交給其他泊車員，或已交還。', 'job.ended': '訂單已取消',

  'step.toCustomer': '前往客人處', 'step.parking': '泊車', 'step.parking.lead': '駛往停車場，然後記下停泊位置。', 'step.parked': '已泊好', 'step.toVehicle': '前往車輛', 'step.returning': '駛往交還地點', 'step.handedBack': '已交還', 'step.ended': '已取消', 'step.lost': '不屬於您的工作',
  'do.navigate': '開始導航', 'do.imThere': '我已到達：輸入交接碼', 'do.collect': '已接車', 'do.toPark': '我已泊車', 'do.park': '完成泊車', 'do.retrieve': '已取車', 'do.handBack': '交還車輛', 'do.withdraw': '交還工作', 'do.absent': '報告客人未到', 'do.home': '返回我的工作', 'do.next': '準備接下一份工作',
  'code.label': '客人的交接碼', 'code.collect': '請客人出示應用程式內的四位數字。', 'code.handBack': '請客人出示應用程式內的新交接碼。', 'code.short': '請輸入四位數字。', 'code.offline': '離線時無法核對交接碼，請於恢復連線後再試。', 'code.locked': '錯誤次數過多，請於 {time} 後再試。',

  'offer.title': '有工作給您', 'offer.dropOff': '接收車輛', 'offer.return': '送回車輛', 'offer.noAddress': '地圖上的標記處', 'offer.left': '尚餘 {seconds} 秒', 'offer.accept': '接受', 'offer.decline': '拒絕',

  'park.photos': '相片', 'park.vehicle': '車輛', 'park.place': '停泊位置', 'park.map': '車輛停泊位置：點按該處，或移動地圖至標記下', 'park.known': '由客人填寫。拍照可核對車牌。', 'park.unknown': '拍照會自動填寫，請核對後繼續。',
  'park.reading': '正在辨識車牌…', 'park.read': '辨識車牌', 'park.read.done': '已辨識車牌：{plate}', 'park.readLater': '離線時無法辨識車牌。請自行輸入或稍後再試。', 'park.nothing': '相片中找不到車牌。請自行輸入或再拍一張。',
  'park.differs': '相片顯示 {plate}，欄內為 {given}。哪個正確？', 'park.take': '使用 {plate}', 'park.others': '或', 'park.sure': '{percent}% 把握', 'park.doubtful': '{percent}% 把握：請核對', 'park.stub': '由測試用辨識器讀取。',
  'park.place.hint': '填寫有助下一位找到車輛的資料。', 'park.place.gps': '按您的位置，準確至 {meters} 米。點按或移動地圖可更正。', 'park.place.moved': '已由您移動。', 'park.place.back': '使用我的位置', 'park.place.none': '位置不詳。請點按車輛停泊處，或移動地圖至該處。',
  'park.carPark': '泊於', 'park.carPark.none': '其他地方', 'park.carPark.free': '尚餘 {count} 個車位', 'park.carPark.chosen': '車輛取回前佔用該處一個車位。費用計入客人帳單，停泊位置以入口為準。',
  'problem.booking.full': '此停車場已滿。請選擇其他停車場或其他地方。', 'problem.car_park.closed': '此停車場已關閉。請選擇其他停車場或其他地方。', 'problem.car_park.unknown': '此停車場已不存在。請選擇其他停車場或其他地方。', 'problem.car_park.other_currency': '此停車場的貨幣與訂單不同。請選擇其他停車場或其他地方。',
  'park.noPhoto': '不拍照便泊車？', 'park.noPhoto.text': '若有人問及刮痕，相片可保障您。', 'park.noPhoto.yes': '不拍照',

  'photos.unsent': '尚有 {count} 張相片未傳送：請勿關閉應用程式。', 'photos.parking': '泊車前的相片', 'photos.handOver': '接車時的相片', 'photos.handBack': '交還時的相片', 'photos.take': '拍照', 'photos.more': '再拍', 'photos.one': '相片 {number}', 'photos.remove': '移除相片 {number}', 'photos.preparing': '準備中…', 'photos.waiting': '等候中', 'photos.sending': '{percent}%', 'photos.sent': '已傳送', 'photos.unreadable': '不是圖片', 'photos.offline': '離線',

  'withdraw.title': '交還工作？', 'withdraw.text': '工作會交給其他泊車員，您不會再獲派此單。', 'withdraw.why': '原因', 'withdraw.choose': '請選擇原因。', 'withdraw.vehicle': '車輛有問題', 'withdraw.customer': '找不到客人', 'withdraw.unsafe': '情況不安全', 'withdraw.late': '未能及時到達', 'withdraw.other': '其他原因', 'withdraw.words': '詳情', 'withdraw.done': '已交還，您可接新工作。',
  'absent.in': '客人未到？{time} 後可離開。', 'absent.title': '報告客人未到？', 'absent.text': '訂單會結束，客人須付未到場費用。請先致電客人。', 'absent.reason': '客人沒有出現。', 'absent.done': '訂單已取消，您可接新工作。',
  'rate.title': '您覺得{name}如何？', 'rate.comment': '意見', 'rate.send': '提交評分', 'rate.done': '多謝您的評分。', 'rate.later': '訂單付款後，您便可為客人評分。',

  'tasks.mine': '我的', 'tasks.open': '附近待辦', 'tasks.none': '沒有雜務', 'tasks.none.text': '客人所訂的洗車及加油會在此顯示。', 'tasks.none.off': '當值時，附近的待辦雜務會在此顯示。', 'tasks.count': '{count} 項雜務',
  'task.take': '接手', 'task.complete': '完成', 'task.release': '交還', 'task.completed': '已完成，我們已通知客人。', 'task.do.complete-task': '{what}：完成', 'task.do.release-task': '{what}：交還',

  'earnings.span': '期間', 'earnings.today': '今日', 'earnings.week': '7 日', 'earnings.month': '30 日', 'earnings.tips': '小費', 'earnings.jobs': '工作', 'earnings.work': '工時', 'earnings.day': '日期', 'earnings.time': '工時', 'earnings.days': '每日', 'earnings.none': '尚無記錄', 'earnings.none.text': '每日的工作及小費會在此顯示。', 'earnings.hint': '即使退款，小費仍屬於您。小休不計入工時。',
  'ratings.title': '客人的評價', 'ratings.count': '{count} 個評分', 'ratings.none': '尚無評分。', 'ratings.noComments': '尚無意見。',
  'problem.plates.recogniser_unavailable': '暫時無法辨識車牌，請自行輸入後繼續。', 'problem.plates.recogniser_misconfigured': '此處無法辨識車牌，請自行輸入後繼續。', 'problem.plates.recogniser_no_credits': '暫時無法辨識車牌，請自行輸入後繼續。',
  'problem.plates.too_many_photos': '此訂單的相片數目已達上限。', 'problem.plates.too_many_recognitions': '此車牌的辨識次數已達上限，請自行輸入後繼續。', 'problem.plates.moment_not_possible': '車輛現時並非交接中。', 'problem.order.not_assigned': '此工作現時不屬於您。', 'problem.order.valet_suspended': '您的帳戶已暫停，請致電辦事處。',

  'demo.driven': '示範中您會顯示在{area}，並自動沿每個工作的路線行駛。', 'demo.heard': '客人說 {code}', 'demo.listening': '示範中，客人會在這裏告知交接碼。',

  'problem.order.wrong_code': '交接碼錯誤，請客人再次出示。', 'problem.order.code_locked': '錯誤次數過多，請等候一分鐘。', 'problem.order.codes_used_up': '錯誤次數過多。請致電辦事處，此訂單須由職員處理。', 'problem.order.not_arrived': '您尚未到達會面地點。', 'problem.order.waiting': '等候時間尚未結束。',
  'problem.order.offer_ended': '此邀請已結束。', 'problem.order.task_taken': '另一位泊車員已接手此工作。', 'problem.order.task_done': '此工作已完成。', 'problem.order.task_unknown': '此工作已不存在。', 'problem.order.recognition_unknown': '車牌相片已失效，請重新拍攝。',
  'problem.location.on_job': '您有進行中的工作，請先完成或交還。', 'problem.location.off_shift': '您不在當值。', 'problem.location.suspended': '您的帳戶已暫停，請致電辦事處。', 'problem.plates.engagement_unknown': '訂單不存在或不屬於您。', 'problem.plates.order_ended': '訂單已結束，不能再加相片。',
};
