/**
 * Runs in the window's sandbox before its page. Gives the page functions, never Electron's own objects: the main
 * process checks every value again.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { DesktopEvent, DesktopPreload, IpcChannel, IpcRequest } from '../ui-contract/desktop-contract.ts';
import type { CallResult } from '../ui-contract/ui-contract.ts';

// A literal, because the contract's module with schemas cannot be loaded in the sandbox.
const eventChannel = 'sinete:event';

async function ask<Channel extends IpcChannel, Value>(
  channel: Channel,
  request: IpcRequest<Channel>,
): Promise<CallResult<Value>> {
  return (await ipcRenderer.invoke(channel, request)) as CallResult<Value>;
}

const api: DesktopPreload = {
  call: async (name, input) => ask('sinete:call', { name, input }),
  onEvent: (listener) => {
    const pass = (_event: unknown, event: DesktopEvent): void => {
      listener(event);
    };
    ipcRenderer.on(eventChannel, pass);
    return () => {
      ipcRenderer.off(eventChannel, pass);
    };
  },
  pathOf: (file) => webUtils.getPathForFile(file as File),
  sendDocument: async (request) => ask('sinete:send-document', request),
  cancelDocument: (id) => {
    void ask('sinete:cancel-document', { id });
  },
  giveFile: async (request) => ask('sinete:give-file', request),
};

contextBridge.exposeInMainWorld('sinete', api);
