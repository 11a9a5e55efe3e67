// A tone when a way is ready, for who does not look at the screen; off by a setting of this device.

import { recall, remember } from '/apps/shared/storage.js';

const KEY = 'openvalet.tone';
/** In Hz, seconds, and of full loudness. */
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
    // Browsers let a page sound only once somebody has tapped it.
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
