// Words of signing in and up, in English.

export default {
  'auth.signIn.link': 'I have an account: sign in', 'auth.signUp': 'Create account', 'auth.signUp.link': 'New here? Create an account', 'auth.signUp.lead': 'A minute, and your car is in good hands.',
  'auth.forgotten': 'Forgotten your password?', 'auth.reset': 'New password', 'auth.reset.lead': 'We send you a code.', 'auth.reset.send': 'Send the code',
  'auth.reset.sent': 'If we know you, a code is on its way. It is good for 10 minutes.', 'auth.reset.confirm': 'Set password and sign in',
  'auth.code.phone': 'Confirm your number', 'auth.code.email': 'Confirm your e-mail address', 'auth.code.lead': 'We have sent a code to {contact}. It is good for 10 minutes.', 'auth.code.again': 'Send a new code', 'auth.code.sent': 'A new code is on its way.', 'auth.code.confirm': 'Confirm',
  'auth.code.confirmed.phone': 'Your number is confirmed.', 'auth.code.confirmed.email': 'Your e-mail address is confirmed.', 'auth.code.skip': 'Later', 'auth.wrongApp': 'This account belongs to another of our apps.',
  'factor.title': 'Two-step sign-in', 'factor.lead': 'After your password you are asked for a code, so that a password alone opens nothing.', 'factor.lead.required': 'Operators sign in with a code besides their password.',
  'factor.totp': 'Authenticator app', 'factor.totp.hint': 'An app on your phone makes a code, without a network too.', 'factor.sms': 'Text message', 'factor.sms.hint': 'A code comes to your phone number.', 'factor.sms.phoneless': 'Set a phone number first.',
  'factor.totp.scan': 'Scan this with your authenticator app.', 'factor.totp.qr': 'QR code for your authenticator app', 'factor.totp.open': 'Open it in an app on this device', 'factor.totp.type': 'Or type this key there:',
  'factor.on': 'On', 'factor.set': 'Set up', 'factor.set.which': 'Set up: {method}', 'factor.set.done': 'Two-step sign-in is on.', 'factor.off': 'Turn off', 'factor.off.which': 'Turn off: {method}', 'factor.off.done': 'It is off.', 'factor.confirm': 'Confirm the code',
  'factor.prove.totp': 'The authenticator app is no longer asked for.', 'factor.prove.sms': 'No more codes come by text message.', 'factor.prove.codes': 'The recovery codes that you have now become void.', 'factor.prove.set': 'Your password first. When two-step sign-in begins, all your other devices are signed out.', 'factor.next': 'Go on',
  'factor.codes': 'Recovery codes', 'factor.codes.one': 'Recovery code', 'factor.codes.lead': 'Each of these signs you in once if your phone is lost. Keep them where only you find them: they are not shown again.', 'factor.codes.left': '{count} is left. | {count} are left.', 'factor.codes.new': 'Get new codes', 'factor.codes.save': 'Save as a file', 'factor.codes.print': 'Print', 'factor.codes.kept': 'I have kept them',
  'factor.copy': 'Copy', 'factor.copied': 'Copied.', 'factor.copy.failed': 'It could not be copied.',
  'factor.ask.totp': 'Type the code that your authenticator app shows.', 'factor.ask.sms': 'Type the code that we have sent to your phone.', 'factor.ask.recoveryCode': 'Type one of your recovery codes. It works once.', 'factor.ask.setup': 'Your account needs a second step: set up an authenticator app to go on.',
  'factor.use.totp': 'Use the authenticator app', 'factor.use.sms': 'Get a text message', 'factor.use.recoveryCode': 'Use a recovery code', 'factor.back': 'Back to the password',

  'demo.people': 'People of the demo', 'demo.lead': 'This is a demo: the city behind it is simulated. Be one of its people:',
  'demo.be.customer': 'Be the customer', 'demo.be.valet': 'Be the valet', 'demo.be.operator': 'Be the operator',
};
