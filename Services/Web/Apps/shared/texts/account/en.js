// Words of a person's own account, in English.

export default {
  'me.title': 'Profile', 'me.photo': 'Change photo', 'me.photo.remove': 'Remove photo', 'me.photo.hint.customer': 'JPEG or PNG. Visible to your valets, drivers and passengers.', 'me.photo.hint.valet': 'JPEG or PNG. Visible to your customers.', 'me.photo.hint.operator': 'JPEG or PNG.',
  'me.verified': 'Confirmed', 'me.unverified': 'Not confirmed', 'me.verify': 'Confirm',
  'me.contacts': 'How we reach you', 'me.set.phone': 'Change phone number', 'me.set.email': 'Change e-mail address', 'me.set.send': 'Send code', 'me.set.sent': 'We’ve sent a code to {contact}.', 'me.set.save': 'Confirm', 'me.set.done': 'Saved.', 'me.unset.phone': 'Remove phone number', 'me.unset.email': 'Remove e-mail address', 'me.unset.done': 'Removed.', 'me.unset.lead': 'You’ll no longer be able to sign in with {contact}.',
  'me.address': 'Postal address', 'me.address.street': 'Street and number', 'me.address.postalCode': 'Postal code', 'me.address.city': 'City', 'me.address.country': 'Country', 'me.address.remove': 'Remove address', 'me.name': 'Name',
  'leave.title': 'Sign out anyway?', 'leave.text': 'One change hasn’t been sent yet and would be lost. | {count} changes haven’t been sent yet and would be lost.',
  'me.security': 'Password and devices', 'me.password': 'Change password', 'me.password.current': 'Current password', 'me.password.done': 'Your password has been changed. Other devices have been signed out.',
  'me.sessions': 'Where you are signed in', 'me.session.this': 'This device', 'me.session.unknown': 'Unknown device', 'me.session.used': 'Last used {time}', 'me.session.end': 'Sign out there', 'me.sessions.others': 'Sign out everywhere else', 'me.sessions.done': 'Signed out elsewhere.',
  'me.data': 'Your data', 'me.export': 'Download my data', 'me.export.hint': 'Everything we hold about you, in one file.', 'me.export.preparing': 'Preparing…',
  'me.delete': 'Delete account', 'me.delete.lead': 'This deletes your profile, vehicles and cards for good. We keep receipts without your name, as the law requires.', 'me.delete.confirm': 'Delete for good', 'me.delete.done': 'Your account has been deleted.',
  'problem.account.engagement_open': 'Something is still open or unpaid. Finish it first.', 'problem.account.last_operator': 'You’re the last operator, so this account can’t be deleted.',
};
