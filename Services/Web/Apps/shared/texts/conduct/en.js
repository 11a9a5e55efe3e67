// Words of reports and blocks, in English.

export default {
  'report.reason': 'What is it about?', 'report.reason.behaviour': 'Behaviour', 'report.reason.fraud': 'Fraud', 'report.reason.safety': 'Safety', 'report.reason.spam': 'Spam', 'report.reason.other': 'Something else',
  'report.title': 'Report {name}', 'report.lead': 'Our staff will look at it. We won’t tell {name} that it was you.', 'report.text': 'What happened?', 'report.block': 'Block {name} as well', 'report.send': 'Send report', 'report.done': 'Thank you. Our staff will look at it.',
  'block.title': 'Block {name}?', 'block.text': 'You won’t see each other or be matched any more. Anything already under way continues. {name} won’t be notified.', 'block.yes': 'Block', 'block.done': '{name} is blocked.',
  'blocked.title': 'Blocked people', 'blocked.lead': 'You and these people can’t see each other.', 'blocked.none': 'You haven’t blocked anyone.', 'blocked.since': 'Since {time}', 'blocked.undo': 'Unblock', 'blocked.undo.of': 'Unblock {name}', 'blocked.undone': '{name} is no longer blocked.',
  'problem.report.open_exists': 'You’ve already reported this. Our staff are looking at it.', 'problem.report.too_many': 'You’ve sent the maximum number of reports for today. Please try again tomorrow.', 'problem.account.too_many_blocks': 'You’ve reached the maximum number of blocked people.',
};
