// The words of an order's sheet, in English.

export default {
  'said.arrived': 'Your valet is here.', 'said.silent': 'No position of your valet comes in.', 'order.reason': 'Reason', 'order.ticket': 'Ticket', 'order.from': 'Hand-over', 'order.to': 'Return', 'valet.yours': 'Your valet', 'valet.return': 'Brings your vehicle',
  'requested.lead': 'You can stay where you are.', 'requested.text': 'Asking the valets around you. This takes a few seconds as a rule.', 'requested.ahead': 'Booked for {time}', 'requested.ahead.lead': 'We look for a valet shortly before.',
  'cancel.title': 'Cancel this order?', 'cancel.button': 'Cancel order', 'cancel.yes': 'Cancel order', 'cancel.no': 'Keep it', 'cancel.free': 'Cancelling is free now.', 'cancel.freeFor': 'Cancelling is free for {time}', 'cancel.costs': 'Cancelling costs {fee} now.',
  'droppingOff.title': '{name} is on the way', 'droppingOff.here': '{name} is here', 'droppingOff.lead': 'Have your key ready.', 'code.title': 'Your code', 'code.dropOff': 'Show it when you hand over the key.', 'code.return': 'Show it when you get your key back.', 'code.enlarge': 'Your code, {code}. Show it large',
  'parking.title': 'Your vehicle is being parked', 'parking.lead': '{name} drives it to a safe place.',
  'parked.title': 'Parked', 'parked.lead': 'Your vehicle is safe.', 'parked.elapsed': 'Time', 'parked.soFar': 'So far', 'parked.lines': 'How it adds up', 'parked.return': 'Return your vehicle', 'parked.noValet': 'Nobody was free to bring it back. Please try again in a moment.',
  'photos.title': 'Photos', 'photo.handOver': 'At hand-over', 'photo.handBack': 'At return',
  'requestingBack.title': 'Looking for a valet', 'requestingBack.lead': 'Your vehicle will be brought to you.', 'requestingBack.text': 'Asking the valets near your vehicle.', 'requestingBack.found': '{name} fetches your vehicle', 'requestingBack.found.lead': 'Time until they are at the vehicle.',
  'recall.cancel': 'Cancel return', 'recall.free': 'Changed your mind? This is free.',
  'returningBack.title': 'Your vehicle is on its way', 'returningBack.here': 'Your vehicle is here', 'returningBack.lead': '{name} brings it to you.',
  'unfulfilled.title': 'No valet was free', 'unfulfilled.lead': 'Nothing was charged. Please try again in a few minutes.', 'unfulfilled.again': 'Start again', 'cancelled.title': 'Order cancelled', 'cancelled.free': 'Nothing was charged.', 'cancelled.paid': 'The fee is paid.', 'cancelled.done': 'Done',
  'tap.cancel': 'Cancel order', 'tap.recall': 'Return', 'tap.cancelRecall': 'Cancel return', 'tap.rate': 'Rating',
  'undefined.lead': 'The server says “{status}”, which this version of the app does not know. Please reload.',
};
