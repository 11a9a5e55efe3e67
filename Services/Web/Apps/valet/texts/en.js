// The valet app's words in English.

export default {
  'nav.label': 'Main', 'nav.jobs': 'Jobs', 'nav.tasks': 'Tasks', 'nav.earnings': 'Earnings', 'nav.profile': 'Profile',
  'outbox.expired': '{label}: too old to be sent now.',

  'shift.label': 'Your shift', 'shift.available': 'Available', 'shift.onBreak': 'On a break', 'shift.offline': 'Off shift', 'shift.changing': 'One moment…', 'shift.queued': 'No network: your shift changes when it is back.', 'shift.toJob': 'Go to the job',
  'shift.offline.means': 'Off shift. You get no jobs, and your position is not shared.', 'shift.onBreak.means': 'On a break. Your shift runs on, without new jobs.',
  'shift.busy.means': 'You have a job. No other one comes meanwhile.', 'shift.available.means': 'Ready for jobs.', 'shift.available.accuracy': 'Position known to {meters} m.',
  'position.denied': 'You are not offered jobs: this app may not see your position.', 'position.denied.help': 'Allow the location for this site in your browser\u2019s settings, then try again.',
  'position.lost': 'Your position does not reach us any more.', 'position.silent': 'You are not offered jobs: no position for {time}.', 'position.silent.job': 'No position for {time}: the customer does not see where you are.', 'position.unavailable': 'Your phone can\u2019t find its position. Without one you are not offered jobs.', 'position.outside': 'You are outside the service areas: no jobs come here.', 'position.first': 'Finding your position…',

  'jobs.dropOff': 'Drop-offs', 'jobs.return': 'Returns', 'jobs.dropOff.none': 'No drop-offs today.', 'jobs.return.none': 'No returns today.', 'jobs.all': 'All my jobs',
  'jobs.none': 'No jobs yet today', 'jobs.none.available': 'Stay where customers are: the nearest valet gets the job.', 'jobs.none.off': 'Go on shift to get jobs.', 'jobs.none.ever': 'Your first job will stand here.',
  'job.title': 'Job', 'job.now': 'Now', 'job.customer': 'Customer', 'job.vehicle': 'Vehicle', 'job.meetingPoint': 'Meeting point', 'job.steps': 'Steps of the job', 'job.place': 'Stands at', 'job.noPlace': 'The car park was not noted: follow the map.', 'job.noPlate': 'Plate unknown',
  'job.arrived': 'You are there', 'job.straight': 'as the crow flies', 'job.done.dropOff': 'parked at {time}', 'job.done.return': 'returned at {time}', 'job.done.cancelled': 'cancelled at {time}',
  'job.parked.text': 'Parked at {time}. You are free for the next job.', 'job.handedBack.text': 'Handed back at {time}. You are free for the next job.',
  'job.lost': 'This job is not yours any more', 'job.lost.text': 'It was given to somebody else, or it was given back.', 'job.ended': 'The order was cancelled',

  'step.toCustomer': 'Drive to the customer', 'step.parking': 'Park the vehicle', 'step.parking.lead': 'Take it to a car park, then note where it stands.', 'step.parked': 'Parked', 'step.toVehicle': 'Go to the vehicle', 'step.returning': 'Drive to the return point', 'step.handedBack': 'Handed back', 'step.ended': 'Cancelled', 'step.lost': 'Not your job',
  'do.navigate': 'Start navigation', 'do.imThere': 'I am there: enter the code', 'do.collect': 'Got the vehicle', 'do.toPark': 'I have parked', 'do.park': 'Park finished', 'do.retrieve': 'Got the vehicle', 'do.handBack': 'Hand back', 'do.withdraw': 'Give the job back', 'do.absent': 'Customer did not come', 'do.home': 'To my jobs', 'do.next': 'Ready for the next job',
  'code.label': 'The customer\u2019s code', 'code.collect': 'Ask the customer for the four digits in their app.', 'code.handBack': 'A new code: the customer sees it in their app.', 'code.short': 'The code has four digits.', 'code.offline': 'The code can\u2019t be checked without a network. Wait until it is back: this step is not sent later.', 'code.locked': 'Too many wrong codes. Try again in {time}.',

  'offer.title': 'A job for you', 'offer.dropOff': 'Take over a vehicle', 'offer.return': 'Bring a vehicle back', 'offer.noAddress': 'At the pin on the map', 'offer.left': '{seconds} seconds left', 'offer.accept': 'Take it', 'offer.decline': 'Decline',

  'park.photos': 'Photos', 'park.vehicle': 'Vehicle', 'park.place': 'Where it stands', 'park.map': 'Where the vehicle stands: tap the place, or move the map under the pin', 'park.known': 'As the customer has entered it. A photo checks the plate.', 'park.unknown': 'A photo fills this in; check it before you go on.',
  'park.reading': 'Reading the plate…', 'park.read': 'Read the plate', 'park.read.done': 'Plate read: {plate}', 'park.readLater': 'The plate can\u2019t be read without a network. Type it, or try again later.', 'park.nothing': 'No plate found on the photo. Type it, or take another photo.',
  'park.differs': 'The photo says {plate}, the field {given}. Which is right?', 'park.take': 'Take {plate}', 'park.others': 'Or', 'park.sure': '{percent} % sure', 'park.doubtful': '{percent} % sure: please check', 'park.stub': 'Read by the stand-in of a recogniser.',
  'park.place.hint': 'Whatever helps the next one to find it.', 'park.place.gps': 'From your position, to {meters} m. Tap or move the map to correct it.', 'park.place.moved': 'Moved by you.', 'park.place.back': 'Use my position', 'park.place.none': 'Your position is unknown. Tap the place where the vehicle stands, or move the map there.',
  'park.noPhoto': 'Park without a photo?', 'park.noPhoto.text': 'A photo protects you when somebody asks about a scratch.', 'park.noPhoto.yes': 'Park without',

  'photos.unsent': '{count} photo is not sent yet: keep the app open. | {count} photos are not sent yet: keep the app open.', 'photos.parking': 'Photos before parking', 'photos.handOver': 'Photos at hand-over', 'photos.handBack': 'Photos at hand-back', 'photos.take': 'Take photos', 'photos.more': 'More', 'photos.one': 'Photo {number}', 'photos.remove': 'Remove photo {number}', 'photos.preparing': 'Preparing…', 'photos.waiting': 'Waits', 'photos.sending': '{percent} %', 'photos.sent': 'Sent', 'photos.unreadable': 'No picture', 'photos.offline': 'No network',

  'withdraw.title': 'Give the job back?', 'withdraw.text': 'Another valet gets it. You will not be asked for it again.', 'withdraw.why': 'Why', 'withdraw.choose': 'Choose a reason.', 'withdraw.vehicle': 'Something is wrong with the vehicle', 'withdraw.customer': 'I can\u2019t find the customer', 'withdraw.unsafe': 'It is not safe', 'withdraw.late': 'I can\u2019t get there in time', 'withdraw.other': 'Something else', 'withdraw.words': 'In your words', 'withdraw.done': 'Given back. You are free again.',
  'absent.in': 'Customer not there? You can leave in {time}.', 'absent.title': 'The customer did not come?', 'absent.text': 'The order ends, and the customer pays the no-show fee. Please call them first.', 'absent.reason': 'The customer did not come.', 'absent.done': 'The order is cancelled. You are free again.',
  'rate.title': 'How was {name}?', 'rate.comment': 'Comment', 'rate.send': 'Send rating', 'rate.done': 'Thank you for your rating.', 'rate.later': 'You can rate the customer when the order is paid.',

  'tasks.mine': 'Mine', 'tasks.open': 'Open near you', 'tasks.none': 'No tasks', 'tasks.none.text': 'Washing and refuelling that customers order stand here.', 'tasks.none.off': 'Open tasks near you stand here while you are on shift.', 'tasks.count': '{count} task | {count} tasks',
  'task.take': 'Take this task', 'task.complete': 'Done', 'task.release': 'Give back', 'task.completed': 'Done. The customer is told.', 'task.do.complete-task': '{what}: done', 'task.do.release-task': '{what}: given back',

  'earnings.span': 'Time', 'earnings.today': 'Today', 'earnings.week': '7 days', 'earnings.month': '30 days', 'earnings.tips': 'Tips', 'earnings.jobs': 'Jobs', 'earnings.work': 'At work', 'earnings.day': 'Day', 'earnings.time': 'At work', 'earnings.days': 'By day', 'earnings.none': 'Nothing yet', 'earnings.none.text': 'Your days with their jobs and tips stand here.', 'earnings.hint': 'Tips are yours, whatever is refunded. Breaks do not count as work.',
  'ratings.title': 'What customers say', 'ratings.count': '{count} rating | {count} ratings', 'ratings.none': 'No ratings yet.', 'ratings.noComments': 'No comments yet.',
  'problem.plates.recogniser_unavailable': 'The plate can\u2019t be read at the moment. Type it and go on.', 'problem.plates.recogniser_misconfigured': 'The plate can\u2019t be read here. Type it and go on.', 'problem.plates.recogniser_no_credits': 'The plate can\u2019t be read at the moment. Type it and go on.',
  'problem.plates.too_many_photos': 'This order has all the photos that it can have.', 'problem.plates.too_many_recognitions': 'This plate was read as often as it can be. Type it and go on.', 'problem.plates.moment_not_possible': 'The vehicle is not being handed over at present.', 'problem.order.not_assigned': 'This job is not yours at present.', 'problem.order.valet_suspended': 'You are suspended. Please call the office.',

  'demo.driven': 'In this demo you are shown in {area}, and driven along the way of each job.', 'demo.heard': 'The customer reads out {code}', 'demo.listening': 'In this demo the customer reads the code out here.',
};
