// Words that all apps share, in English.

export default {
  'app.customer': 'OpenValet', 'app.valet': 'OpenValet Valet', 'app.operator': 'OpenValet Operator',

  'action.back': 'Back', 'action.close': 'Close', 'action.retry': 'Try again',

  'state.loading': 'Loading…', 'state.queued': 'We’ll send it when you’re back online.',
  'state.waiting': '{count} change waiting to be sent | {count} changes waiting to be sent', 'state.asOf': 'As of {time}', 'state.reconnecting': 'Reconnecting…',

  'fault.title': 'Something went wrong', 'fault.text': 'We can’t show this screen. We’ve been notified; the rest of the app still works.', 'fault.again': 'Reload the app',
  'storage.refused': 'This device can’t store more data. Changes waiting to be sent are lost if you close the app.', 'update.ready': 'A new version is ready.', 'update.now': 'Update now',

  'duration.hours': '{hours} h {minutes} min', 'duration.minutes': '{minutes} min', 'duration.both': '{minutes} min {seconds} s', 'duration.seconds': '{seconds} s', 'duration.now': 'any moment',
  'distance.meters': '{meters} m', 'distance.kilometers': '{kilometers} km', 'date.today': 'today, {time}',

  'account.language': 'Language',

  'auth.ended': 'You have been signed out. Please sign in again.', 'auth.replaced': 'Someone signed in with another account in this browser.',

  'map.label': 'Map', 'map.zoomIn': 'Zoom in', 'map.zoomOut': 'Zoom out', 'map.missing': 'The map isn’t available. Everything else works.', 'map.me': 'You are here', 'map.locate': 'Show my location',

  'status.requested': 'Looking for a valet', 'status.scheduled': 'Booked', 'status.droppingOff': 'Valet on the way', 'status.parking': 'Being parked', 'status.parked': 'Parked', 'status.requestingBack': 'Return requested', 'status.returningBack': 'On its way back',
  'status.waitingForPayment': 'Payment due', 'status.finished': 'Finished', 'status.cancelled': 'Cancelled', 'status.unfulfilled': 'No valet found', 'status.undefined': 'Unknown status',
  'extra.wash': 'Wash', 'extra.refuel': 'Refuel',
  'vehicle': 'Vehicle',

  'problem.429': 'Too many attempts. Please wait {seconds} s.', 'problem.500': 'Something went wrong on our side. Please try again.', 'problem.offline': 'You’re offline.', 'problem.unreachable': 'We can’t reach the server. Please try again.', 'problem.service.unavailable': 'This service is temporarily unavailable. Please try again.',

  'reason.noValetAvailable': 'No valet was free.', 'reason.customerAbsent': 'The valet waited, then left.',

  'app.customer.claim': 'Your car, parked and brought back.', 'app.valet.claim': 'Your jobs, one step at a time.', 'app.operator.claim': 'The whole city, live.',
  'app.install': 'Install the app', 'app.installed': 'Installed.', 'app.api': 'API for developers',

  'action.cancel': 'Cancel', 'action.call': 'Call', 'action.callPerson': 'Call {name}', 'action.delete': 'Delete', 'action.done': 'Done', 'action.edit': 'Edit', 'action.more': 'Show more',
  'action.no': 'No', 'action.yes': 'Yes', 'action.save': 'Save', 'action.saved': 'Saved.', 'action.keep': 'Keep',
  'state.signalLost': 'Signal lost {time} ago',
  'form.optional': '(optional)', 'form.required': 'Please fill this in.',

  'account.contact': 'Phone number or e-mail', 'account.email': 'E-mail address', 'account.phone': 'Phone number', 'account.phone.hint': 'With country code, e.g. +44 7700 900123', 'account.password': 'Password', 'account.password.hint': 'At least 10 characters', 'account.newPassword': 'New password',
  'account.firstName': 'First name', 'account.lastName': 'Last name', 'account.code': 'Six-digit code',

  'auth.signIn': 'Sign in',
  'auth.signOut': 'Sign out',

  'rating.none': 'No ratings yet', 'rating.of5': '{value} of 5 stars', 'rating.give': 'Stars', 'rating.stars': '{count} star | {count} stars',

  'task.open': 'Ordered', 'task.taken': 'In progress', 'task.done': 'Done',
  'vehicle.plate': 'Plate', 'vehicle.make': 'Make', 'vehicle.model': 'Model', 'vehicle.colour': 'Colour',
  'parked.lot': 'Car park', 'parked.level': 'Level', 'parked.bay': 'Bay', 'parked.keyTag': 'Key tag',
  'bill.base': 'Base fee', 'bill.time': 'Parking time', 'bill.dailyCap': 'Daily cap', 'bill.carPark': 'Car park', 'bill.wash': 'Wash', 'bill.refuel': 'Refuel', 'bill.cancellation': 'Cancellation fee', 'bill.noShow': 'No-show fee', 'bill.total': 'Total', 'bill.tip': 'Tip',
  'push.title': 'Notifications', 'push.on': 'Alert me when something happens', 'push.denied': 'Your browser blocks notifications for this site. Allow them in its settings.', 'push.unsupported': 'This browser doesn’t support notifications for web apps.', 'push.failed': 'We couldn’t reach the browser’s notification service.',

  'problem.request.precondition_failed': 'Someone else has changed this. Check it again before you save.', 'problem.request.too_large': 'That is too large.',
  'problem.account.suspended': 'This account is suspended. Please call the office.', 'problem.account.too_many_vehicles': 'You’ve reached the maximum number of vehicles.',
  'problem.order.unfinished_exists': 'You already have an order in progress.', 'problem.order.outside_service_area': 'This location is outside our service area.', 'problem.order.contended': 'Someone else changed the order at the same moment. Please try again.',
  'problem.order.schedule_invalid': 'That time is too soon or too far ahead. Choose another.', 'problem.order.extra_unavailable': 'This extra isn’t available here.', 'problem.payment.due': 'An earlier order hasn’t been paid yet.',
  'problem.request.invalid': '{detail}', 'problem.order.vehicle_unknown': 'This vehicle is no longer in your list. Choose another one.',
  'problem.order.not_possible': 'That’s no longer possible: the order has changed.',
  'problem.engagement.unknown': 'This doesn’t exist, or isn’t yours.',
  'problem.order.unknown': 'This order doesn’t exist, or isn’t yours.',
  'problem.payment.declined': 'The card was declined.', 'problem.payment.already_paid': 'This has already been paid.', 'problem.payment.in_progress': 'A payment is in progress. Please wait a moment.',
  'problem.payment.provider_unavailable': 'We can’t take payments right now. Nothing was charged; please try again.', 'problem.payment.token_unknown': 'The card was not accepted.',
  'problem.payment.too_many_methods': 'You’ve reached the maximum number of cards.', 'problem.payment.receipt_not_ready': 'Your receipt isn’t ready yet. Please try again in a moment.', 'problem.payment.bill_changed': 'The bill has changed. Please check it again.',
  'problem.location.invalid': 'We can’t use this location.',
  'problem.rating.not_finished': 'You can rate once the order is finished.', 'problem.picture.unknown_type': 'Choose a JPEG, PNG or WebP picture.', 'problem.picture.too_large_dimensions': 'The picture has too many pixels.', 'problem.picture.truncated': 'The picture is incomplete.', 'problem.picture.malformed': 'We can’t read this picture.',

  'problem.request.malformed': 'The server couldn’t read this. Please reload the app.', 'problem.request.not_found': 'We couldn’t find this.', 'problem.request.too_slow': 'Sending took too long. Please try again.',
  'problem.auth.role': 'This account isn’t allowed to do that.', 'problem.auth.token_invalid': 'You have been signed out. Please sign in again.', 'problem.auth.token_missing': 'You have been signed out. Please sign in again.', 'problem.account.session_ended': 'You have been signed out. Please sign in again.',
  'problem.account.session_unknown': 'That device is already signed out.', 'problem.idempotency.key_reused': 'Something else was sent a moment ago. Please try again.',
  'problem.account.unknown': 'This account doesn’t exist.', 'problem.account.vehicle_unknown': 'This vehicle no longer exists.',
  'problem.order.valet_busy': 'This valet has another job.', 'problem.order.nothing_assigned': 'This order has no valet at the moment.',
  'problem.payment.method_unknown': 'This card has been removed. Choose another one.', 'problem.payment.card_number_refused': 'Card numbers are not accepted here.', 'problem.payment.currency_mismatch': 'The bill is in another currency.',
  'problem.payment.not_due': 'There is nothing to pay for this order.', 'problem.payment.bill_pending': 'The bill isn’t ready yet. Please try again in a moment.', 'problem.payment.bill_unknown': 'This order doesn’t exist, or isn’t yours.', 'problem.payment.unknown': 'This payment doesn’t exist.',
  'problem.location.no_route': 'No route is available right now.', 'problem.rating.nobody_served': 'No valet served this order, so there is nobody to rate.', 'problem.rating.engagement_unknown': 'This order doesn’t exist, or isn’t yours.', 'problem.stream.too_many': 'The app is open in too many places. Close it elsewhere.',
  'problem.picture.empty': 'The picture is empty.', 'problem.picture.unknown': 'This picture no longer exists.', 'problem.picture.address_expired': 'The link to this picture has expired. Please reload.', 'problem.picture.address_invalid': 'The link to this picture has expired. Please reload.',
  'problem.notification.subscription_unknown': 'This device no longer gets notifications.',

  'demo.code': 'This is a demo, so no message is sent. The operator sees the code under Messages, or choose Later.',
};
