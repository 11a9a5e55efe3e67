// Words of reports and blocks, in Traditional Chinese.

export default {
  'report.reason': '關於甚麼？', 'report.reason.behaviour': '行為', 'report.reason.fraud': '欺詐', 'report.reason.safety': '安全', 'report.reason.spam': '濫發訊息', 'report.reason.other': '其他',
  'report.title': '舉報{name}', 'report.lead': '職員會查看。我們不會告訴{name}是您舉報。', 'report.text': '事情經過', 'report.block': '同時封鎖{name}', 'report.send': '提交舉報', 'report.done': '謝謝。職員會查看。',
  'block.title': '封鎖{name}？', 'block.text': '您和對方不會再看到或配對到彼此。已開始的事項會繼續。{name}不會收到通知。', 'block.yes': '封鎖', 'block.done': '已封鎖{name}。',
  'blocked.title': '已封鎖的人', 'blocked.lead': '您與他們看不到對方。', 'blocked.none': '您沒有封鎖任何人。', 'blocked.since': '自{time}', 'blocked.undo': '解除封鎖', 'blocked.undo.of': '解除封鎖{name}', 'blocked.undone': '已解除封鎖{name}。',
  'problem.report.open_exists': '您已舉報此事，職員正在查看。', 'problem.report.too_many': '您今天的舉報數目已達上限，請明天再試。', 'problem.account.too_many_blocks': '您封鎖的人數已達帳戶上限。',
};
