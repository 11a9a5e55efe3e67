// The words of the first view, in English.

export default {
  'menu.open': 'Menu', 'menu.openNews': 'Menu, {count} new notification | Menu, {count} new notifications', 'sheet.open': 'Show details', 'sheet.close': 'Show more of the map',

  'choose.title': 'Where is your car?', 'choose.hint': 'Move or tap the map to change it', 'choose.locating': 'Finding where you are…', 'choose.noPosition': 'Your position is not available. Search, or move the map.',
  'choose.vehicle.none': 'Tell the valet', 'choose.extras': 'Extras', 'choose.extras.none': 'None', 'choose.when': 'When', 'choose.now': 'Now', 'choose.later': 'Later', 'choose.time': 'Day and time',
  'choose.dropOff': 'Drop off', 'choose.dropOffAt': 'Drop off {time}', 'choose.outside': 'We do not park here. The nearest place where we do is a walk away.', 'choose.nearby': '{count} valet nearby, {time} away | {count} valets nearby, the nearest {time} away',
  'choose.nobody': 'No valet is free nearby right now.', 'choose.verify': 'Confirm your phone number', 'choose.toBill': 'Go to the bill', 'choose.toOrder': 'Go to the order', 'choose.noAreas': 'There is no service area yet.',
  'tariff.free': '{price} with the first minute, | {price} with the first {count} minutes,', 'tariff.base': '{price} to begin with,', 'tariff.then': 'then {price} for each minute; at most {cap} a day. | then {price} for each {count} minutes; at most {cap} a day.',
  'walk.go': 'Go to service area', 'walk.servicePoint': 'Service point, {area}', 'walk.line': '{distance}, about {time} on foot. The line is straight: follow the streets.', 'walk.noPosition': 'Turn on your position to see the way.', 'walk.other': 'Choose another place',
  'search.label': 'Search for a place', 'search.clear': 'Clear', 'search.results': 'Places', 'search.found': '{count} place | {count} places', 'search.nothing': 'Nothing found. Try other words, or move the map.', 'search.away': 'Places can’t be searched now. Move the map, or type coordinates.',
  'return.title': 'Where shall we bring it?', 'return.lead': 'Here, or anywhere in the service area.', 'return.here': 'Bring it here', 'return.sameplace': 'Where it was taken',
  'marker.dropOff': 'Hand-over', 'marker.return': 'Return', 'marker.parked': 'Your vehicle is parked here', 'marker.car': 'Your vehicle', 'marker.valet': 'Your valet',
  'tap.expired': '{label}: not sent in time, and dropped.', 'vehicles.add': 'Add a vehicle',
};
