// Words of a person's own account, in Traditional Chinese.

export default {
  'me.title': '個人資料', 'me.photo': '更換相片', 'me.photo.remove': '移除相片', 'me.photo.hint.customer': 'JPEG 或 PNG。您的泊車員、司機和乘客會看到。', 'me.photo.hint.valet': 'JPEG 或 PNG。您的客人會看到。', 'me.photo.hint.operator': 'JPEG 或 PNG。',
  'me.verified': '已確認', 'me.unverified': '尚未確認', 'me.verify': '確認',
  'me.contacts': '聯絡方式', 'me.set.phone': '更改電話號碼', 'me.set.email': '更改電郵地址', 'me.set.send': '傳送驗證碼', 'me.set.sent': '驗證碼已傳送到 {contact}。', 'me.set.save': '確認', 'me.set.done': '已儲存。', 'me.unset.phone': '移除電話號碼', 'me.unset.email': '移除電郵地址', 'me.unset.done': '已移除。', 'me.unset.lead': '您將不能再以 {contact} 登入。',
  'me.address': '郵寄地址', 'me.address.street': '街道及門牌', 'me.address.postalCode': '郵政編碼', 'me.address.city': '城市', 'me.address.country': '國家或地區', 'me.address.remove': '移除地址', 'me.name': '姓名',
  'leave.title': '仍要登出？', 'leave.text': '有 {count} 項更改尚未傳送，登出後將會遺失。',
  'me.security': '密碼及裝置', 'me.password': '更改密碼', 'me.password.current': '現時密碼', 'me.password.done': '密碼已更改，其他裝置已登出。',
  'me.sessions': '已登入的裝置', 'me.session.this': '此裝置', 'me.session.unknown': '不明裝置', 'me.session.used': '最近使用：{time}', 'me.session.end': '登出該裝置', 'me.sessions.others': '登出所有其他裝置', 'me.sessions.done': '已登出其他裝置。',
  'me.data': '您的資料', 'me.export': '下載我的資料', 'me.export.hint': '我們持有的所有關於您的資料，集於一個檔案。', 'me.export.preparing': '準備中…',
  'me.delete': '刪除帳戶', 'me.delete.lead': '您的個人資料、車輛及信用卡將永久刪除。按法例要求，收據會保留，但不會有您的姓名。', 'me.delete.confirm': '永久刪除', 'me.delete.done': '您的帳戶已刪除。',
  'problem.account.engagement_open': '尚有未完成或未付款的項目，請先處理。', 'problem.account.last_operator': '您是最後一位營運人員，帳戶不能刪除。',
};
