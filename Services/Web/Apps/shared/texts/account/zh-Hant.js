// The words of the account's screens, in Traditional Chinese.

export default {
  'me.title': '個人資料', 'me.photo': '更換相片', 'me.photo.remove': '移除相片', 'me.photo.hint': 'JPEG 或 PNG。與您訂單有關的人會看到。',
  'me.verified': '號碼已確認', 'me.unverified': '號碼尚未確認', 'me.verify': '立即確認', 'me.name': '姓名',
  'leave.title': '仍要登出？', 'leave.text': '有 {count} 項操作尚未傳送，登出後將會遺失。',
  'me.security': '密碼及裝置', 'me.password': '更改密碼', 'me.password.current': '現時密碼', 'me.password.done': '密碼已更改，其他裝置已登出。',
  'me.sessions': '已登入的裝置', 'me.session.this': '此裝置', 'me.session.unknown': '不明裝置', 'me.session.used': '{time}使用', 'me.session.end': '登出該裝置', 'me.sessions.others': '登出所有其他裝置', 'me.sessions.done': '已登出其他裝置。',
  'me.data': '您的資料', 'me.export': '下載我的資料', 'me.export.hint': '我們持有的所有關於您的資料，集於一個檔案。', 'me.export.preparing': '準備中…',
  'me.delete': '刪除帳戶', 'me.delete.lead': '您的個人資料、車輛及信用卡將永久刪除。按法例要求，收據會保留，但不會有您的姓名。', 'me.delete.confirm': '永久刪除', 'me.delete.done': '您的帳戶已刪除。',
};
