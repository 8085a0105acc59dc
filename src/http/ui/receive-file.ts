import type { RequestHandler } from 'express';
import { readRaw } from '../signing-service/read-upload.ts';
import { readFileName } from './bridge.ts';

/** Keeps a file for the call that names it. */
export type ReceiveUiFile = (name: string, content: AsyncIterable<Uint8Array>) => Promise<{ readonly upload: string }>;

/** `PUT /ui/files`: a file for a call of the GUI; the answer names it. */
export function sendUiFile(receive: ReceiveUiFile): RequestHandler {
  return async (request, response) => {
    const name = readFileName(request.get('X-File-Name')) ?? 'file';
    const { upload } = await receive(name, readRaw(request, undefined).content);
    response.status(201).json({ upload });
  };
}
