// Where the driver is: shared by the driver's device, followed by passengers, and shown on the map.

import { serverNow } from '/apps/shared/clock.js';
import { t } from '/apps/shared/i18n.js';
import { pointsOf } from './map.js';
import { ridePath } from './paths.js';
import { nameOf } from './words.js';

/** Interval for the driver's position, and for checking whether the ride may begin, in ms. */
const PACE = 3_000;
const TICK = 20_000;

export const isOpen = ({ status }) => ['planned', 'underWay'].includes(status);
export const isShared = (ride) => isOpen(ride) && ride.sharedFrom && Date.parse(ride.sharedFrom) <= serverNow();

/** Passengers see the driver from a quarter of an hour before the first pick-up. */
function share(screen, ride) {
  const { position } = screen.app;
  const isDriving = ride?.role === 'driver' && isShared(ride);
  if (isDriving && screen.shared !== ride.id) {
    screen.shared = ride.id;
    position.start({ reports: true });
    position.setOnJob(true);
  } else if (screen.shared && ride?.id === screen.shared && !isDriving) {
    screen.shared = null;
    position.start();
    position.setOnJob(false);
  }
}

export function follow(screen, ride) {
  share(screen, ride);
  if (!ride || !isOpen(ride)) return stopFollowing(screen);
  if (screen.timer) return undefined;
  screen.tickedAt = 0;
  screen.timer = setInterval(() => look(screen, ride.id), PACE);
  return look(screen, ride.id);
}

export function stopFollowing(screen) {
  clearInterval(screen.timer);
  [screen.timer, screen.track] = [null, null];
}

async function look(screen, id) {
  const { api, redraw, resources } = screen.app;
  if (document.hidden) return;
  const ride = resources.get(ridePath(id)).value;
  if (ride && isShared(ride) && ride.role === 'passenger') {
    screen.track = await api.get(`${ridePath(id)}/track`).catch(() => null);
    redraw();
  } else if (serverNow() - screen.tickedAt > TICK) {
    // The possible actions depend on the time.
    screen.tickedAt = serverNow();
    redraw();
  }
}

// MARK: The map

export function drawRideMap(screen, ride) {
  const { map } = screen.slot;
  if (!map || map.isPlain || !ride) return;
  if (screen.drawn !== ride.way) {
    screen.drawn = ride.way;
    map.setRoute('way', { geometry: ride.way, source: ride.isStraightLine ? 'straightLine' : 'router' });
  }
  const here = screen.app.position.last;
  map.setMarker('me', here && { ...here, kind: 'me', icon: 'pin', title: t('map.me') });
  const driver = screen.track?.driver;
  map.setMarker(
    'driver',
    driver && { ...driver, kind: 'valet', icon: 'car', isStale: driver.isStale, title: t('lift.driver') },
  );
  map.setMarkers('stop-', stopsOf(ride));
  const shown = `${ride.id} ${ride.version} ${Boolean(driver)}`;
  if (screen.fitted === shown) return;
  screen.fitted = shown;
  map.fit([...pointsOf(ride.way), driver], { maxZoom: 15 });
}

const stopsOf = ({ passengers, role }) =>
  passengers
    .filter(({ status }) => ['pending', 'accepted', 'rode'].includes(status))
    .flatMap((one) =>
      ['pickUp', 'dropOff'].map((end) => ({
        ...one[end].point,
        id: `${one.id}-${end}`,
        kind: end === 'pickUp' ? 'place' : 'parked',
        icon: end === 'pickUp' ? 'user' : 'check',
        text: role === 'driver' ? nameOf(one.passenger) : '',
        title: `${t(`lift.${end}`)}: ${nameOf(one.passenger)}`,
      })),
    );
