// Words of a person's own account, in English.

export default {
  'me.title': 'Profile', 'me.photo': 'Change photo', 'me.photo.remove': 'Remove photo', 'me.photo.hint': 'JPEG or PNG. The people of your orders see it.',
  'me.verified': 'Confirmed', 'me.unverified': 'Not confirmed', 'me.verify': 'Confirm it',
  'me.contacts': 'How we reach you', 'me.set.phone': 'Set the phone number', 'me.set.email': 'Set the e-mail address', 'me.set.send': 'Send a code there', 'me.set.sent': 'A code is on its way to {contact}.', 'me.set.save': 'Confirm', 'me.set.done': 'It is set.', 'me.unset.phone': 'Remove the phone number', 'me.unset.email': 'Remove the e-mail address', 'me.unset.done': 'It is removed.', 'me.unset.lead': 'You no longer sign in with {contact}.',
  'me.address': 'Postal address', 'me.address.street': 'Street and number', 'me.address.postalCode': 'Postal code', 'me.address.city': 'City', 'me.address.country': 'Country', 'me.address.remove': 'Remove the address', 'me.name': 'Name',
  'leave.title': 'Sign out all the same?', 'leave.text': 'Something you did here was not sent yet, and would be lost. | {count} things you did here were not sent yet, and would be lost.',
  'me.security': 'Password and devices', 'me.password': 'Change password', 'me.password.current': 'Present password', 'me.password.done': 'Your password is changed. Other devices have been signed out.',
  'me.sessions': 'Where you are signed in', 'me.session.this': 'This device', 'me.session.unknown': 'Unknown device', 'me.session.used': 'Used {time}', 'me.session.end': 'Sign out there', 'me.sessions.others': 'Sign out everywhere else', 'me.sessions.done': 'Signed out elsewhere.',
  'me.data': 'Your data', 'me.export': 'Download my data', 'me.export.hint': 'Everything that is held about you, as one file.', 'me.export.preparing': 'Being put together…',
  'me.delete': 'Delete account', 'me.delete.lead': 'Your profile, your vehicles and your cards are deleted for good. Receipts are kept without your name, as the law asks.', 'me.delete.confirm': 'Delete for good', 'me.delete.done': 'Your account is deleted.',
  'problem.account.engagement_open': 'Something is still open or unpaid. Finish it first.', 'problem.account.last_operator': 'You are the last operator: the account can\u2019t be deleted.',
};
