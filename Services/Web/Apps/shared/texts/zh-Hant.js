// Words that all apps share, in Traditional Chinese.

export default {
  'app.customer': 'OpenValet', 'app.valet': 'OpenValet 泊車員', 'app.operator': 'OpenValet 營運',

  'action.back': '返回', 'action.close': '關閉', 'action.retry': '再試一次',

  'state.loading': '載入中…', 'state.queued': '恢復連線後會自動傳送。',
  'state.waiting': '{count} 項更改等待傳送', 'state.asOf': '截至 {time}', 'state.reconnecting': '重新連線中…',

  'fault.title': '出現問題', 'fault.text': '無法顯示此畫面。我們已收到通知，應用程式的其他部分仍可使用。', 'fault.again': '重新載入應用程式',
  'storage.refused': '此裝置無法再儲存資料。關閉應用程式後，等待傳送的更改將會遺失。', 'update.ready': '新版本已準備好。', 'update.now': '立即更新',

  'duration.hours': '{hours} 小時 {minutes} 分鐘', 'duration.minutes': '{minutes} 分鐘', 'duration.both': '{minutes} 分 {seconds} 秒', 'duration.seconds': '{seconds} 秒', 'duration.now': '即將',
  'distance.meters': '{meters} 米', 'distance.kilometers': '{kilometers} 公里', 'date.today': '今日 {time}',

  'account.language': '語言',

  'auth.ended': '您已登出，請重新登入。', 'auth.replaced': '有人以另一個帳戶在此瀏覽器登入。',

  'map.label': '地圖', 'map.zoomIn': '放大', 'map.zoomOut': '縮小', 'map.missing': '暫時無法顯示地圖，其他功能照常使用。', 'map.me': '您的位置', 'map.locate': '顯示我的位置',

  'status.requested': '正尋找泊車員', 'status.scheduled': '已預約', 'status.droppingOff': '泊車員正前來', 'status.parking': '正在泊車', 'status.parked': '已泊好', 'status.requestingBack': '已要求取回', 'status.returningBack': '正送回車輛',
  'status.waitingForPayment': '待付款', 'status.finished': '已完成', 'status.cancelled': '已取消', 'status.unfulfilled': '未能安排泊車員', 'status.undefined': '狀態不明',
  'extra.wash': '洗車', 'extra.refuel': '加油',
  'vehicle': '車輛',

  'problem.429': '操作過於頻繁，請等候 {seconds} 秒。', 'problem.500': '系統出現問題，請再試一次。', 'problem.offline': '沒有網絡連線。', 'problem.unreachable': '未能連接伺服器，請再試一次。', 'problem.service.unavailable': '服務暫時中斷，請再試一次。',

  'reason.noValetAvailable': '沒有空閒的泊車員。', 'reason.customerAbsent': '泊車員等候後離開。',

  'app.customer.claim': '代您泊車，隨時送回。', 'app.valet.claim': '您的工作，一步一步完成。', 'app.operator.claim': '全城動態，一目了然。',
  'app.install': '安裝應用程式', 'app.installed': '已安裝。', 'app.api': '開發者 API',

  'action.cancel': '取消', 'action.call': '致電', 'action.callPerson': '致電{name}', 'action.delete': '刪除', 'action.done': '完成', 'action.edit': '編輯', 'action.more': '顯示更多',
  'action.no': '否', 'action.yes': '是', 'action.save': '儲存', 'action.saved': '已儲存。', 'action.keep': '保留',
  'state.signalLost': '{time}前失去訊號',
  'form.optional': '（選填）', 'form.required': '請填寫此欄。',

  'account.contact': '電話號碼或電郵', 'account.email': '電郵地址', 'account.phone': '電話號碼', 'account.phone.hint': '連國家或地區號碼，例如 +44 7700 900123', 'account.password': '密碼', 'account.password.hint': '最少 10 個字元', 'account.newPassword': '新密碼',
  'account.firstName': '名字', 'account.lastName': '姓氏', 'account.code': '六位數字驗證碼',

  'auth.signIn': '登入',
  'auth.signOut': '登出',

  'rating.none': '尚無評分', 'rating.of5': '{value} 星（滿分 5 星）', 'rating.give': '星級', 'rating.stars': '{count} 星',

  'task.open': '已預訂', 'task.taken': '進行中', 'task.done': '已完成',
  'vehicle.plate': '車牌', 'vehicle.make': '品牌', 'vehicle.model': '型號', 'vehicle.colour': '顏色',
  'parked.lot': '停車場', 'parked.level': '樓層', 'parked.bay': '車位', 'parked.keyTag': '鎖匙牌',
  'bill.base': '基本收費', 'bill.time': '泊車時間', 'bill.dailyCap': '每日上限', 'bill.carPark': '停車場', 'bill.wash': '洗車', 'bill.refuel': '加油', 'bill.cancellation': '取消費用', 'bill.noShow': '未到場費用', 'bill.total': '總計', 'bill.tip': '小費',
  'push.title': '通知', 'push.on': '有新動態時通知我', 'push.denied': '瀏覽器已封鎖本網站的通知，請於瀏覽器設定中允許。', 'push.unsupported': '此瀏覽器不支援網頁應用程式通知。', 'push.failed': '未能連接瀏覽器的通知服務。',

  'problem.request.precondition_failed': '其他人剛作出更改，請重新查看後再儲存。', 'problem.request.too_large': '內容過大。',
  'problem.account.suspended': '此帳戶已暫停，請致電辦事處。', 'problem.account.too_many_vehicles': '車輛數目已達上限。',
  'problem.order.unfinished_exists': '您有一張進行中的訂單。', 'problem.order.outside_service_area': '此地點在服務範圍以外。', 'problem.order.contended': '其他人同時更改了訂單，請再試一次。',
  'problem.order.schedule_invalid': '此時間太近或太遠，請選擇其他時間。', 'problem.order.extra_unavailable': '此處不提供該附加服務。', 'problem.payment.due': '之前的訂單尚未付款。',
  'problem.request.invalid': '資料有誤，請檢查您輸入的內容。（{detail}）', 'problem.order.vehicle_unknown': '此車輛已不在您的清單，請選擇另一輛。',
  'problem.order.not_possible': '訂單狀態已更新，此操作不再適用。',
  'problem.engagement.unknown': '此項目不存在或不屬於您。',
  'problem.order.unknown': '訂單不存在或不屬於您。',
  'problem.payment.declined': '付款卡被拒。', 'problem.payment.already_paid': '此單已付款。', 'problem.payment.in_progress': '付款處理中，請稍候。',
  'problem.payment.provider_unavailable': '暫時未能付款，並未扣款，請再試一次。', 'problem.payment.token_unknown': '不接受此付款卡。',
  'problem.payment.too_many_methods': '付款卡數目已達上限。', 'problem.payment.receipt_not_ready': '收據尚未備妥，請稍後再試。', 'problem.payment.bill_changed': '帳單已更改，請再次查看。',
  'problem.location.invalid': '未能使用此位置。',
  'problem.rating.not_finished': '訂單完成後方可評分。', 'problem.picture.unknown_type': '請選擇 JPEG、PNG 或 WebP 圖片。', 'problem.picture.too_large_dimensions': '圖片像素過多。', 'problem.picture.truncated': '圖片不完整。', 'problem.picture.malformed': '未能讀取圖片。',

  'problem.request.malformed': '伺服器未能讀取，請重新載入應用程式。', 'problem.request.not_found': '找不到此項目。', 'problem.request.too_slow': '傳送時間過長，請再試一次。',
  'problem.auth.role': '此帳戶無權執行此操作。', 'problem.auth.token_invalid': '您已登出，請重新登入。', 'problem.auth.token_missing': '您已登出，請重新登入。', 'problem.account.session_ended': '您已登出，請重新登入。',
  'problem.account.session_unknown': '該裝置已登出。', 'problem.idempotency.key_reused': '剛才已傳送另一項操作，請再試一次。',
  'problem.account.unknown': '沒有此帳戶。', 'problem.account.vehicle_unknown': '此車輛已不存在。',
  'problem.order.valet_busy': '這位泊車員有其他工作。', 'problem.order.nothing_assigned': '此訂單目前沒有泊車員負責。',
  'problem.payment.method_unknown': '這張卡已不存在，請選擇另一張。', 'problem.payment.card_number_refused': '此處不接受信用卡號碼。', 'problem.payment.currency_mismatch': '貨幣與帳單不符。',
  'problem.payment.not_due': '此訂單無須付款。', 'problem.payment.bill_pending': '帳單尚未備妥，請稍後再試。', 'problem.payment.bill_unknown': '訂單不存在或不屬於您。', 'problem.payment.unknown': '沒有此付款。',
  'problem.location.no_route': '暫時未能顯示路線。', 'problem.rating.nobody_served': '此訂單沒有泊車員服務，無法評分。', 'problem.rating.engagement_unknown': '訂單不存在或不屬於您。', 'problem.stream.too_many': '應用程式在太多地方開啟，請關閉其他視窗。',
  'problem.picture.empty': '圖片沒有內容。', 'problem.picture.unknown': '此圖片已不存在。', 'problem.picture.address_expired': '圖片連結已過期，請重新載入。', 'problem.picture.address_invalid': '圖片連結已過期，請重新載入。',
  'problem.notification.subscription_unknown': '此裝置已不再接收通知。',

  'demo.code': '這是示範，不會發送短訊。營運人員可在「短訊」看到驗證碼，您也可以選擇「稍後」。',
};
