import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { readRaw, oneDocument } from '../signing-service/read-upload.ts';
import { ServiceError, SigningError, wholeSentence } from '../../service/errors/index.ts';
import type { IncomingDocument, Transactions, UploadRequest } from '../../service/transactions/index.ts';
import {
  calls,
  type CallError,
  type CallHandlers,
  type CallName,
  type CallResult,
  type UiEvent,
} from '../../ui-contract/ui-contract.ts';
import { issueSentence } from '../problems/field-problems.ts';
import { baseUrlOf, hangUpOf } from '../guard-request.ts';
import { HttpError } from '../http-error.ts';
import type { Life } from '../life.ts';
import { invalidFields, parseFields } from '../read-body.ts';
import { announcedBytes, readForm, type FormFile, type UploadLimits } from '../signing-service/read-form.ts';
import { answerContext, uploadBody } from '../signing-service/signature-service.ts';
import type { UiCaller, UiSessions } from './sessions.ts';

/** Stores a file for a later call, which refers to the file by the answered name. */
export type ReceiveUiFile = (name: string, content: AsyncIterable<Uint8Array>) => Promise<{ readonly upload: string }>;

/** `PUT /ui/files`: stores a file for a later call of the window; answers the file's name. */
export function sendUiFile(receive: ReceiveUiFile): RequestHandler {
  return async (request, response) => {
    const name = readFileName(request.get('X-File-Name')) ?? 'file';
    const { upload } = await receive(name, readRaw(request, undefined).content);
    response.status(201).json({ upload });
  };
}

/** Services of the headless bridge: the same table as the desktop's, for each kind of caller. */
export interface UiBridge {
  readonly sessions: UiSessions;
  readonly handlers: Readonly<Record<UiCaller, CallHandlers>>;
  /** Calls `listener` for every event until the returned function is called. */
  readonly onEvent: (listener: (event: UiEvent) => void) => () => void;
  /** Called for internal failures. */
  readonly onFailure: (error: unknown, call: CallName) => void;
}

/** Milliseconds between two pings of the event stream. */
const pingInterval = 20_000;

/** Maximum number of unread bytes of a slow reader of events. */
const eventBacklog = 64 * 1024;

/** Requires a session, or the owner at the other end of the local channel. */
export function requireSession(sessions: UiSessions): RequestHandler {
  return (request, response, next) => {
    if (callerOf(sessions, request, response) === undefined) throw sessionEnded();
    next();
  };
}

function callerOf(sessions: UiSessions, request: Request, response: Response): UiCaller | undefined {
  if (response.locals.isOwnerByChannel === true) return 'command-line';
  return sessions.isOpen(request.get('Authorization')) ? 'user-interface' : undefined;
}

/** `POST /ui/session`: exchanges a link's key for a session, once. */
export function openUiSession(sessions: UiSessions): RequestHandler {
  return (request, response) => {
    const { key } = parseFields(z.object({ key: z.string().max(200) }), request.body);
    const session = sessions.open(key);
    if (session === undefined) throw sessionEnded();
    response.json({ session });
  };
}

/** `POST /ui/links`: a fresh one-time link, for `sinete link`. */
export function issueUiLink(sessions: UiSessions): RequestHandler {
  return (request, response) => {
    response.status(201).json({ link: linkOf(baseUrlOf(request), sessions.issueKey()) });
  };
}

/** The address that opens the window once. The key is in the fragment, so browsers never send or log it. */
export function linkOf(baseUrl: string, key: string): string {
  return `${baseUrl}/ui/#key=${key}`;
}

/** `POST /ui/rpc`: runs a call of the table. A failed call is answered with status 200 and an error value. */
export function callUi(bridge: UiBridge): RequestHandler {
  return async (request, response) => {
    const schema = z.object({ call: z.string(), input: z.unknown().default({}) });
    const { call, input } = parseFields(schema, request.body);
    if (!isCallName(call)) {
      throw invalidFields([{ field: 'call', code: 'UNKNOWN_CALL', detail: 'There is no call of this name.' }]);
    }
    response.json(
      await answerCall(bridge, callerOf(bridge.sessions, request, response) ?? 'user-interface', call, input),
    );
  };
}

/** `GET /ui/events`: a JSON object per line for each event, and a regular ping. */
export function readUiEvents(bridge: UiBridge, life: Life): RequestHandler {
  return (request, response) => {
    response.type('application/x-ndjson');
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const send = (event: UiEvent): void => {
      if (response.writableEnded) return;
      if (response.writableLength > eventBacklog) response.destroy();
      else response.write(`${JSON.stringify(event)}\n`);
    };
    const ping = setInterval(() => {
      if (callerOf(bridge.sessions, request, response) === undefined) response.end();
      else send({ name: 'ping' });
    }, pingInterval);
    const stop = bridge.onEvent(send);
    send({ name: 'ping' });
    const leave = life.onEnd(() => response.end());
    response.once('close', () => {
      clearInterval(ping);
      stop();
      leave();
    });
  };
}

/**
 * `PUT /ui/documents/<tcn>?end=true`: the next file of a transaction of the window, or several files as a form, each in
 * a field with the id of its document.
 */
export function sendUiDocument(transactions: Transactions, limits: UploadLimits): RequestHandler<{ tcn: string }> {
  return async (request, response) => {
    const upload: UploadRequest = { endOfTransaction: readEnd(request.query.end), ...announcedBytes(request) };
    const documents = request.is('multipart/form-data')
      ? byDocumentId(readForm(request, limits))
      : oneDocument({ ...readRaw(request, undefined), fileName: readFileName(request.get('X-File-Name')) });
    const outcome = await transactions.upload(request.params.tcn, upload, documents, hangUpOf(response));
    response.json(await uploadBody(outcome, answerContext(request, transactions)));
  };
}

async function* byDocumentId(files: AsyncIterable<FormFile>): AsyncGenerator<IncomingDocument> {
  for await (const { field, ...file } of files) yield { ...file, label: field };
}

/** Runs a call with checked input; every rejection becomes an error value. */
export async function answerCall(
  bridge: Pick<UiBridge, 'handlers' | 'onFailure'>,
  caller: UiCaller,
  name: CallName,
  input: unknown,
): Promise<CallResult<unknown>> {
  const checked = checkCallInput(name, input);
  if (!checked.ok) return checked;
  try {
    // The schema of the same name has checked the input; the compiler cannot relate the two tables.
    const handle = bridge.handlers[caller][name] as (input: unknown) => Promise<unknown>;
    return { ok: true, value: await handle(checked.value) };
  } catch (error) {
    return { ok: false, error: callError(error, (unforeseen) => bridge.onFailure(unforeseen, name)) };
  }
}

/** The input of a call in the form for its handler, or `INPUT_INVALID` with a sentence for each wrong member. */
export function checkCallInput(name: CallName, input: unknown): CallResult<unknown> {
  const checked = calls[name].input.safeParse(input, { error: issueSentence });
  if (checked.success) return { ok: true, value: checked.data };
  const message = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return { ok: false, error: { code: 'INPUT_INVALID', message } };
}

/** Converts a rejection to an error value. An internal failure goes to `onFailure`; the caller gets no detail. */
export function callError(error: unknown, onFailure: (error: unknown) => void): CallError {
  const known = error instanceof ServiceError || error instanceof SigningError;
  if (known && error.code !== 'INTERNAL') {
    const message = error instanceof ServiceError ? wholeSentence(error) : error.message;
    return { code: error.code, message };
  }
  onFailure(error);
  return { code: 'INTERNAL', message: 'Something went wrong in Sinete itself. The log of this instance tells more.' };
}

/** True if the table has a call of this name. */
export function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name);
}

function sessionEnded(): HttpError {
  return new HttpError('SESSION_ENDED', 'This link was used or is over: run "sinete link" for a fresh one.', {
    headers: { 'WWW-Authenticate': 'Sinete-UI' },
  });
}

function readEnd(end: unknown): boolean {
  if (end === 'true') return true;
  if (end === undefined || end === 'false') return false;
  throw invalidFields([{ field: 'end', code: 'INVALID_TYPE', detail: 'Give true or false.' }]);
}

/** The file name of a request; undefined without a name. */
export function readFileName(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    const detail = 'Give the file name in percent-encoded UTF-8.';
    throw invalidFields([{ field: 'X-File-Name', code: 'INVALID_VALUE', detail }]);
  }
}
