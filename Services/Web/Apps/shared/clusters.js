// Groups markers that would hide each other into one with their number; none is displaced.

/** Markers without text hide each other within this distance, in pixels. */
const NEAR = 28;

/**
 * Groups markers `{ id, latitude, longitude, kind, … }`, as `setMarkers` takes them, for a view's zoom; a chosen one
 * stays alone. `titleOf(count)` names a group, `onclick(members)` gets a tap on it.
 */
export function gather({ map }, markers, { near = NEAR, titleOf, onclick }) {
  const groups = [];
  for (const marker of markers) {
    const at = map.project([marker.latitude, marker.longitude]);
    const isAlone = marker.kind.endsWith(' chosen');
    const group = groups.find((one) => !isAlone && !one.isAlone && one.at.distanceTo(at) < near);
    if (group) group.members.push(marker);
    else groups.push({ at, isAlone, members: [marker] });
  }
  return groups.map(({ members }) => {
    if (members.length === 1) return members[0];
    const [{ id, latitude, longitude }] = members;
    return {
      id: `several-${id}`,
      latitude,
      longitude,
      kind: 'several',
      count: members.length,
      title: titleOf(members.length),
      onclick: () => onclick(members),
    };
  });
}
