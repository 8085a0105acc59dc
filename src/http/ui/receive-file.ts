import type { RequestHandler } from 'express';
import { readRaw } from '../signing-service/read-upload.ts';
import { readFileName } from './bridge.ts';

/** Keeps a file for a later call with its name. */
export type ReceiveUiFile = (name: string, content: AsyncIterable<Uint8Array>) => Promise<{ readonly upload: string }>;

/** `PUT /ui/files`: a file for a call of the window; the answer has the file's name. */
export function sendUiFile(receive: ReceiveUiFile): RequestHandler {
  return async (request, response) => {
    const name = readFileName(request.get('X-File-Name')) ?? 'file';
    const { upload } = await receive(name, readRaw(request, undefined).content);
    response.status(201).json({ upload });
  };
}
