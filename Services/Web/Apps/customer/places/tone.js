// A tone when a route is ready, for people who don't look at the screen; a setting of this device turns it off.

import { recall, remember } from '/apps/shared/storage.js';

const KEY = 'openvalet.tone';
/** In Hz, seconds, and as a share of full volume. */
const [PITCH, LENGTH, LOUDNESS] = [880, 0.25, 0.2];
let context = null;

export const tone = {
  get isOn() {
    return recall(KEY) !== false;
  },
  set(isOn) {
    remember(KEY, isOn ? undefined : false);
    if (isOn) tone.play();
  },
  play() {
    if (!tone.isOn || !globalThis.AudioContext) return;
    context ??= new AudioContext();
    // Browsers allow sound only after a tap.
    if (context.state === 'suspended') context.resume();
    const volume = context.createGain();
    volume.gain.setValueAtTime(LOUDNESS, context.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + LENGTH);
    const source = context.createOscillator();
    source.frequency.value = PITCH;
    source.connect(volume).connect(context.destination);
    source.start();
    source.stop(context.currentTime + LENGTH);
  },
};
