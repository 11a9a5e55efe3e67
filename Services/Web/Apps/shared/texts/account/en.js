// The words of the account's screens, in English.

export default {
  'me.title': 'Profile', 'me.photo': 'Change photo', 'me.photo.remove': 'Remove photo', 'me.photo.hint': 'JPEG or PNG. The people of your orders see it.',
  'me.verified': 'Number confirmed', 'me.unverified': 'Number not confirmed', 'me.verify': 'Confirm it', 'me.name': 'Name',
  'leave.title': 'Sign out all the same?', 'leave.text': 'Something you did here was not sent yet, and would be lost. | {count} things you did here were not sent yet, and would be lost.',
  'me.security': 'Password and devices', 'me.password': 'Change password', 'me.password.current': 'Present password', 'me.password.done': 'Your password is changed. Other devices have been signed out.',
  'me.sessions': 'Where you are signed in', 'me.session.this': 'This device', 'me.session.unknown': 'Unknown device', 'me.session.used': 'Used {time}', 'me.session.end': 'Sign out there', 'me.sessions.others': 'Sign out everywhere else', 'me.sessions.done': 'Signed out elsewhere.',
  'me.data': 'Your data', 'me.export': 'Download my data', 'me.export.hint': 'Everything that is held about you, as one file.', 'me.export.preparing': 'Being put together…',
  'me.delete': 'Delete account', 'me.delete.lead': 'Your profile, your vehicles and your cards are deleted for good. Receipts are kept without your name, as the law asks.', 'me.delete.confirm': 'Delete for good', 'me.delete.done': 'Your account is deleted.',
};
