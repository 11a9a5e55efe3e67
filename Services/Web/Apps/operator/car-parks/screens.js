// The screens of car parks, loaded on demand.

export { bookingScreen, bookingsScreen } from './bookings.js';
export { editScreen } from './edit.js';
export { fineScreen, finesScreen } from './fines.js';
export { parksScreen } from './list.js';
export { parkScreen } from './park.js';
export { platesScreen } from './plates.js';
export { reportScreen } from './report.js';
export { staysScreen } from './stays.js';
export { tariffScreen } from './tariff.js';
