// Words that all apps share, in English.

export default {
  'app.customer': 'OpenValet', 'app.valet': 'OpenValet Valet', 'app.operator': 'OpenValet Operator',

  'action.back': 'Back', 'action.close': 'Close', 'action.retry': 'Try again',

  'state.loading': 'Loading…', 'state.queued': 'Will be sent when the network is back.',
  'state.waiting': '{count} tap waits for the network | {count} taps wait for the network', 'state.asOf': 'As of {time}', 'state.reconnecting': 'Reconnecting…',

  'fault.title': 'Something is broken here', 'fault.text': 'This screen can’t be shown. We have been told, and the rest of the app still works.', 'fault.again': 'Load the app again',
  'storage.refused': 'This device keeps nothing more: what waits to be sent is lost when you close the app.', 'update.ready': 'A new version is ready.', 'update.now': 'Use it now',

  'duration.hours': '{hours} h {minutes} min', 'duration.minutes': '{minutes} min', 'duration.both': '{minutes} min {seconds} s', 'duration.seconds': '{seconds} s', 'duration.now': 'any moment',
  'distance.meters': '{meters} m', 'distance.kilometers': '{kilometers} km', 'date.today': 'today, {time}',

  'account.language': 'Language',

  'auth.ended': 'You have been signed out. Please sign in again.', 'auth.replaced': 'Another account has signed in in this browser.',

  'map.label': 'Map', 'map.zoomIn': 'Zoom in', 'map.zoomOut': 'Zoom out', 'map.missing': 'The map is not available here. Everything works without it.', 'map.me': 'You are here', 'map.locate': 'Show my position',

  'status.requested': 'Looking for a valet', 'status.scheduled': 'Booked', 'status.droppingOff': 'Valet on the way', 'status.parking': 'Being parked', 'status.parked': 'Parked', 'status.requestingBack': 'Return requested', 'status.returningBack': 'On its way back',
  'status.waitingForPayment': 'To be paid', 'status.finished': 'Finished', 'status.cancelled': 'Cancelled', 'status.unfulfilled': 'No valet found', 'status.undefined': 'Unknown state',
  'extra.wash': 'Wash', 'extra.refuel': 'Refuel',
  'vehicle': 'Vehicle',

  'problem.429': 'That was too often. Please wait {seconds} s.', 'problem.500': 'Something failed on our side. Please try again.', 'problem.offline': 'No network.', 'problem.unreachable': 'The server can\u2019t be reached. Please try again.', 'problem.service.unavailable': 'The service is away for a moment. Please try again.',

  'reason.noValetAvailable': 'No valet was free.', 'reason.customerAbsent': 'The valet waited, and left.',

  'app.customer.claim': 'Your car, parked and brought back.', 'app.valet.claim': 'Your jobs, one step at a time.', 'app.operator.claim': 'The whole city, live.',
  'app.install': 'Install the app', 'app.installed': 'Installed.', 'app.api': 'API for developers',

  'action.cancel': 'Cancel', 'action.call': 'Call', 'action.callPerson': 'Call {name}', 'action.delete': 'Delete', 'action.done': 'Done', 'action.edit': 'Edit', 'action.more': 'Show more',
  'action.no': 'No', 'action.yes': 'Yes', 'action.save': 'Save', 'action.saved': 'Saved.', 'action.keep': 'Keep',
  'state.signalLost': 'Signal lost {time} ago',
  'form.optional': '(optional)', 'form.required': 'Please fill this in.',

  'account.contact': 'Phone number or e-mail', 'account.email': 'E-mail address', 'account.phone': 'Phone number', 'account.phone.hint': 'With country code, as +44 7700 900123', 'account.password': 'Password', 'account.password.hint': 'At least 10 characters', 'account.newPassword': 'New password',
  'account.firstName': 'First name', 'account.lastName': 'Last name', 'account.code': 'Six-digit code',

  'auth.signIn': 'Sign in',
  'auth.signOut': 'Sign out',

  'rating.none': 'No ratings yet', 'rating.of5': '{value} of 5 stars', 'rating.give': 'Stars', 'rating.stars': '{count} star | {count} stars',

  'task.open': 'Ordered', 'task.taken': 'In progress', 'task.done': 'Done',
  'vehicle.plate': 'Plate', 'vehicle.make': 'Make', 'vehicle.model': 'Model', 'vehicle.colour': 'Colour',
  'parked.lot': 'Car park', 'parked.level': 'Level', 'parked.bay': 'Bay', 'parked.keyTag': 'Key tag',
  'bill.base': 'Base fee', 'bill.time': 'Parking time', 'bill.dailyCap': 'Daily cap', 'bill.carPark': 'Car park', 'bill.wash': 'Wash', 'bill.refuel': 'Refuel', 'bill.cancellation': 'Cancellation fee', 'bill.noShow': 'No-show fee', 'bill.total': 'Total', 'bill.tip': 'Tip',
  'push.title': 'Notifications', 'push.on': 'Tell me when something happens', 'push.denied': 'Your browser blocks notifications for this site. Allow them in its settings.', 'push.unsupported': 'This browser has no notifications for web apps.', 'push.failed': 'The browser\u2019s notification service could not be reached.',

  'problem.request.precondition_failed': 'Somebody else has changed this meanwhile. Look again before you save.', 'problem.request.too_large': 'That is too large.',
  'problem.account.suspended': 'This account is suspended. Please call the office.', 'problem.account.too_many_vehicles': 'You have as many vehicles as an account can have.',
  'problem.order.unfinished_exists': 'You have an order that is not finished.', 'problem.order.outside_service_area': 'This point is outside our service area.', 'problem.order.contended': 'Somebody else changed the order at the same moment. Please try again.',
  'problem.order.schedule_invalid': 'Choose a time at least a little ahead, and not too far.', 'problem.order.extra_unavailable': 'This extra is not offered here.', 'problem.payment.due': 'An earlier order is not paid yet.',
  'problem.request.invalid': '{detail}', 'problem.order.vehicle_unknown': 'This vehicle is no longer in your list. Choose another one.',
  'problem.order.not_possible': 'This is no longer possible: the order has moved on.',
  'problem.engagement.unknown': 'This does not exist or is not yours.',
  'problem.order.unknown': 'This order does not exist or is not yours.',
  'problem.payment.declined': 'The card was declined.', 'problem.payment.already_paid': 'This is paid already.', 'problem.payment.in_progress': 'A payment is under way. Please wait a moment.',
  'problem.payment.provider_unavailable': 'Payment is not possible right now. Nothing was charged; please try again.', 'problem.payment.token_unknown': 'The card was not accepted.',
  'problem.payment.too_many_methods': 'You have as many cards as an account can have.', 'problem.payment.receipt_not_ready': 'The receipt is not ready yet. Please try again in a moment.', 'problem.payment.bill_changed': 'The bill has changed meanwhile. Please look again.',
  'problem.location.invalid': 'This position can\u2019t be used.',
  'problem.rating.not_finished': 'You can rate when the order is finished.', 'problem.picture.unknown_type': 'This is not a JPEG, PNG or WebP picture.', 'problem.picture.too_large_dimensions': 'The picture has too many pixels.', 'problem.picture.truncated': 'The picture is not complete.', 'problem.picture.malformed': 'The picture can\u2019t be read.',

  'problem.request.malformed': 'The server could not read this. Please reload the app.', 'problem.request.not_found': 'This is not here.', 'problem.request.too_slow': 'It took too long to send. Please try again.',
  'problem.auth.role': 'This account may not do that.', 'problem.auth.token_invalid': 'You are no longer signed in. Please sign in again.', 'problem.auth.token_missing': 'You are no longer signed in. Please sign in again.', 'problem.account.session_ended': 'You are no longer signed in. Please sign in again.',
  'problem.account.session_unknown': 'That device is signed out already.', 'problem.idempotency.key_reused': 'Something else was sent a moment ago. Please try again.',
  'problem.account.unknown': 'There is no such account.', 'problem.account.vehicle_unknown': 'This vehicle is no longer here.',
  'problem.order.valet_busy': 'This valet has another job.', 'problem.order.nothing_assigned': 'Nobody has this order at the moment.',
  'problem.payment.method_unknown': 'This card is no longer there. Choose another one.', 'problem.payment.card_number_refused': 'Card numbers are not accepted here.', 'problem.payment.currency_mismatch': 'That is not the currency of the bill.',
  'problem.payment.not_due': 'There is nothing to pay for this order.', 'problem.payment.bill_pending': 'The bill is not ready yet. Please try again in a moment.', 'problem.payment.bill_unknown': 'This order does not exist or is not yours.', 'problem.payment.unknown': 'There is no such payment.',
  'problem.location.no_route': 'There is no way to show at the moment.', 'problem.rating.nobody_served': 'Nobody has served this order: there is nobody to rate.', 'problem.rating.engagement_unknown': 'This order does not exist or is not yours.', 'problem.stream.too_many': 'The app is open too often. Close it elsewhere.',
  'problem.picture.empty': 'The picture is empty.', 'problem.picture.unknown': 'This picture is no longer there.', 'problem.picture.address_expired': 'The picture has to be asked for again. Please reload.', 'problem.picture.address_invalid': 'The picture has to be asked for again. Please reload.',
  'problem.notification.subscription_unknown': 'This device gets no notifications any more.',

  'demo.code': 'This is a demo: no message is sent. The operator sees the code under Messages, or go on without.',
};
