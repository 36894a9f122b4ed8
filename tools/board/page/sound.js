// The sounds of a game, made by the browser itself: a move, a capture, the end, a clock that runs
// low. They are off until a person switches them on; that is remembered.
//
//   playSound("move" | "capture" | "end" | "low"), soundOf(move), startSoundSwitch(button)

import { keepText, recallText } from "./memory.js";

const KEY = "alesia-sound";

/** Each sound as tones: [hertz, seconds until it begins, seconds that it lasts]. */
const SOUNDS = {
  move: [[440, 0, 0.07]],
  capture: [[330, 0, 0.06], [220, 0.06, 0.1]],
  end: [[523, 0, 0.14], [659, 0.14, 0.14], [784, 0.28, 0.3]],
  low: [[880, 0, 0.08], [880, 0.16, 0.08]],
};
const LOUDNESS = 0.18;

let audio = null;

const isOn = () => recallText(KEY) === "on";

/** Plays a sound, if sounds are on; browsers allow none before a page has been used. */
export function playSound(name) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  audio.resume();
  for (const [hertz, after, seconds] of SOUNDS[name]) {
    const begin = audio.currentTime + after;
    const volume = new GainNode(audio, { gain: 0 });
    // A tone that begins or ends at once clicks.
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: hertz });
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + seconds);
  }
}

/** The sound of a move. */
export const soundOf = ({ kind }) => (["capture", "sacrifice"].includes(kind) ? "capture" : "move");

/** Makes a button the switch of the sounds; switched on, it plays one. */
export function startSoundSwitch(button) {
  const show = () => button.setAttribute("aria-pressed", isOn());
  button.addEventListener("click", () => {
    keepText(KEY, isOn() ? "off" : "on");
    show();
    playSound("move");
  });
  show();
}
