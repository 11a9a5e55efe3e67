// The words of an order's sheet, in Traditional Chinese.

export default {
  'said.arrived': '您的泊車員已到達。', 'said.silent': '暫時收不到泊車員的位置。', 'order.reason': '原因', 'order.ticket': '票號', 'order.from': '交車', 'order.to': '還車', 'valet.yours': '您的泊車員', 'valet.return': '送車的泊車員',
  'requested.lead': '您可以留在原地。', 'requested.text': '正在詢問附近的泊車員，一般只需數秒。', 'requested.ahead': '已預約{time}', 'requested.ahead.lead': '我們會在約定時間前不久尋找泊車員。',
  'cancel.title': '取消這張訂單？', 'cancel.button': '取消訂單', 'cancel.yes': '取消訂單', 'cancel.no': '保留', 'cancel.free': '現在取消免費。', 'cancel.freeFor': '{time} 內取消免費', 'cancel.costs': '現在取消須付 {fee}。',
  'droppingOff.title': '{name}正在前來', 'droppingOff.here': '{name}已到達', 'droppingOff.lead': '請準備好車匙。', 'code.title': '您的代碼', 'code.dropOff': '交車匙時出示。', 'code.return': '取回車匙時出示。', 'code.enlarge': '您的代碼：{code}。放大顯示',
  'parking.title': '正在泊車', 'parking.lead': '{name}正將車駛往安全的地方。',
  'parked.title': '已泊好', 'parked.lead': '您的車很安全。', 'parked.elapsed': '時間', 'parked.soFar': '目前費用', 'parked.lines': '費用明細', 'parked.return': '取回車輛', 'parked.noValet': '剛才沒有空閒的泊車員送車，請稍後再試。',
  'photos.title': '相片', 'photo.handOver': '交車時', 'photo.handBack': '還車時',
  'requestingBack.title': '正在尋找泊車員', 'requestingBack.lead': '您的車將會送到。', 'requestingBack.text': '正在詢問車輛附近的泊車員。', 'requestingBack.found': '{name}正去取車', 'requestingBack.found.lead': '到達車輛所需的時間。',
  'recall.cancel': '取消還車', 'recall.free': '改變主意？取消免費。',
  'returningBack.title': '您的車正在途中', 'returningBack.here': '您的車到了', 'returningBack.lead': '{name}正把車送來。',
  'unfulfilled.title': '沒有空閒的泊車員', 'unfulfilled.lead': '沒有收費。請數分鐘後再試。', 'unfulfilled.again': '重新開始', 'cancelled.title': '訂單已取消', 'cancelled.free': '沒有收費。', 'cancelled.paid': '費用已付。', 'cancelled.done': '完成',
  'tap.cancel': '取消訂單', 'tap.recall': '還車', 'tap.cancelRecall': '取消還車', 'tap.rate': '評分',
  'undefined.lead': '伺服器回報「{status}」，此版本的應用程式未能識別。請重新載入。',
};
