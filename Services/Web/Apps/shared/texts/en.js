// Words that all apps share, in English.

export default {
  'app.customer': 'OpenValet', 'app.valet': 'OpenValet Valet', 'app.operator': 'OpenValet Operator',

  'action.back': 'Back', 'action.close': 'Close', 'action.retry': 'Try again',

  'state.loading': 'Loading…', 'state.offline': 'No network. You see the last known state; what you tap is sent later.', 'state.queued': 'Will be sent when the network is back.',
  'state.waiting': '{count} tap waits for the network | {count} taps wait for the network', 'state.asOf': 'As of {time}', 'state.reconnecting': 'Reconnecting…',

  'duration.hours': '{hours} h {minutes} min', 'duration.minutes': '{minutes} min', 'duration.both': '{minutes} min {seconds} s', 'duration.seconds': '{seconds} s', 'duration.now': 'any moment',
  'distance.meters': '{meters} m', 'distance.kilometers': '{kilometers} km', 'date.today': 'today, {time}',

  'account.language': 'Language',

  'auth.ended': 'You have been signed out. Please sign in again.', 'auth.replaced': 'Another account has signed in in this browser.',

  'map.label': 'Map', 'map.zoomIn': 'Zoom in', 'map.zoomOut': 'Zoom out', 'map.missing': 'The map is not available here. Everything works without it.', 'map.me': 'You are here', 'map.locate': 'Show my position',

  'status.requested': 'Looking for a valet', 'status.droppingOff': 'Valet on the way', 'status.parking': 'Being parked', 'status.parked': 'Parked', 'status.requestingBack': 'Return requested', 'status.returningBack': 'On its way back',
  'status.waitingForPayment': 'To be paid', 'status.finished': 'Finished', 'status.cancelled': 'Cancelled', 'status.unfulfilled': 'No valet found', 'status.undefined': 'Unknown state',
  'extra.wash': 'Wash', 'extra.refuel': 'Refuel',
  'vehicle': 'Vehicle',

  'problem.429': 'That was too often. Please wait {seconds} s.', 'problem.500': 'Something failed on our side. Please try again.', 'problem.offline': 'No network.', 'problem.unreachable': 'The server can\u2019t be reached. Please try again.', 'problem.service.unavailable': 'The service is away for a moment. Please try again.',
};
