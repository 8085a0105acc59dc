import type { Bridge } from './bridge.ts';
import { firstFrame } from '../first-frame.ts';
import { HttpBridge } from './http-bridge.ts';
import { IpcBridge } from './ipc-bridge.ts';

/** The bridge of this host: the desktop's if its preload script ran, else the HTTP bridge. */
export function openBridge(): Bridge {
  if (window.sinete !== undefined) return new IpcBridge(window.sinete);
  const bridge = new HttpBridge();
  bridge.start(firstFrame);
  return bridge;
}
