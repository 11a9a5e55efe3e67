// Words of reports and blocks, in English.

export default {
  'report.reason': 'What is it about?', 'report.reason.behaviour': 'Behaviour', 'report.reason.fraud': 'Fraud', 'report.reason.safety': 'Safety', 'report.reason.spam': 'Spam', 'report.reason.other': 'Something else',
  'report.title': 'Report {name}', 'report.lead': 'Our staff looks at it. {name} is not told that it was you.', 'report.text': 'What happened', 'report.block': 'Block {name} as well', 'report.send': 'Send report', 'report.done': 'Thank you. Our staff will look at it.',
  'block.title': 'Block {name}?', 'block.text': 'You no longer see each other, and nothing brings you together. What you have begun goes on. {name} is not told.', 'block.yes': 'Block', 'block.done': '{name} is blocked.',
  'blocked.title': 'Blocked people', 'blocked.lead': 'You and they no longer see each other.', 'blocked.none': 'You have blocked nobody.', 'blocked.since': 'Since {time}', 'blocked.undo': 'Unblock', 'blocked.undo.of': 'Unblock {name}', 'blocked.undone': '{name} is no longer blocked.',
  'problem.report.open_exists': 'You have reported this already. Our staff is looking at it.', 'problem.report.too_many': 'You have written as many reports as a day has. Please try again tomorrow.', 'problem.account.too_many_blocks': 'You have blocked as many people as an account can.',
};
