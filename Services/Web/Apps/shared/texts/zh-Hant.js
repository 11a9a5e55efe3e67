// Words that all apps share, as Hong Kong writes them.

export default {
  'app.customer': 'OpenValet', 'app.valet': 'OpenValet 泊車員', 'app.operator': 'OpenValet 營運',

  'action.back': '返回', 'action.close': '關閉', 'action.retry': '再試一次',

  'state.loading': '載入中…', 'state.offline': '沒有網絡。現顯示最後的已知狀態，您的操作將於稍後傳送。', 'state.queued': '網絡恢復後將會傳送。',
  'state.waiting': '{count} 項操作等待網絡', 'state.asOf': '截至 {time}', 'state.reconnecting': '重新連線中…',

  'duration.hours': '{hours} 小時 {minutes} 分鐘', 'duration.minutes': '{minutes} 分鐘', 'duration.both': '{minutes} 分 {seconds} 秒', 'duration.seconds': '{seconds} 秒', 'duration.now': '即將',
  'distance.meters': '{meters} 米', 'distance.kilometers': '{kilometers} 公里', 'date.today': '今日 {time}',

  'account.language': '語言',

  'auth.ended': '您已登出，請重新登入。', 'auth.replaced': '另一個帳戶已在此瀏覽器登入。',

  'map.label': '地圖', 'map.zoomIn': '放大', 'map.zoomOut': '縮小', 'map.missing': '此處未能顯示地圖，其他功能照常使用。', 'map.me': '您的位置', 'map.locate': '顯示我的位置',

  'status.requested': '正尋找泊車員', 'status.droppingOff': '泊車員正前來', 'status.parking': '正在泊車', 'status.parked': '已泊好', 'status.requestingBack': '已要求取回', 'status.returningBack': '正送回車輛',
  'status.waitingForPayment': '待付款', 'status.finished': '已完成', 'status.cancelled': '已取消', 'status.unfulfilled': '未能安排泊車員', 'status.undefined': '狀態不明',
  'extra.wash': '洗車', 'extra.refuel': '加油',
  'vehicle': '車輛',

  'problem.429': '操作過於頻繁，請等候 {seconds} 秒。', 'problem.500': '系統出現問題，請再試一次。', 'problem.offline': '沒有網絡。', 'problem.unreachable': '未能連接伺服器，請再試一次。', 'problem.service.unavailable': '服務暫時中斷，請再試一次。',
};
