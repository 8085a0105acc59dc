/**
 * A program of its own: opens the file named by its only argument, as Explorer does. Exit code 0 means that Windows has
 * started a program for the file. Shell extensions of other vendors run in this process, and never in the process with
 * the keys.
 */
import { dirname } from 'node:path';
import koffi from 'koffi';

/** Complete all work before the call returns, because this process ends then (SEE_MASK_NOASYNC). */
const NO_ASYNC = 0x100;
const SHOW_NORMAL = 1;
/** COINIT_APARTMENTTHREADED and COINIT_DISABLE_OLE1DDE, as the documentation of ShellExecuteEx requires. */
const APARTMENT = 0x2 | 0x4;

/** Keeps a reference: koffi unloads an unreferenced library, and its functions then become unusable. */
const ole = koffi.load('ole32.dll');
const shell = koffi.load('shell32.dll');

/** SHELLEXECUTEINFOW (shellapi.h). */
const executeInfo = koffi.struct({
  cbSize: 'uint32',
  fMask: 'uint32',
  hwnd: 'void *',
  lpVerb: 'str16',
  lpFile: 'str16',
  lpParameters: 'str16',
  lpDirectory: 'str16',
  nShow: 'int32',
  hInstApp: 'void *',
  lpIDList: 'void *',
  lpClass: 'str16',
  hkeyClass: 'void *',
  dwHotKey: 'uint32',
  hIcon: 'void *',
  hProcess: 'void *',
});

function openOnWindows(path: string): boolean {
  const initialize = ole.func('__stdcall', 'CoInitializeEx', 'int32', ['void *', 'uint32']);
  const execute = shell.func('__stdcall', 'ShellExecuteExW', 'bool', [koffi.pointer(executeInfo)]);
  initialize(null, APARTMENT);
  const nothing = { hwnd: null, hInstApp: null, lpIDList: null, hkeyClass: null, hIcon: null, hProcess: null };
  const words = { lpVerb: 'open', lpFile: path, lpParameters: null, lpDirectory: dirname(path), lpClass: null };
  const numbers = { cbSize: koffi.sizeof(executeInfo), fMask: NO_ASYNC, nShow: SHOW_NORMAL, dwHotKey: 0 };
  return execute({ ...nothing, ...words, ...numbers }) === true;
}

const [, , path] = process.argv;
process.exitCode = path !== undefined && openOnWindows(path) ? 0 : 1;
