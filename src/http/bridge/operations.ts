import { forEverybody, type Operation } from '../operation.ts';
import { endBridge, readBridgeScript, showBridge, type BridgeParts } from './page.ts';

const bridge = { access: forEverybody('common'), guard: 'bridge', body: 'none' } as const;

/** The window by which a web page speaks with Sinete where the browser blocks requests of the page. */
export const bridgeOperations: readonly Operation<BridgeParts>[] = [
  { id: 'showBridge', method: 'get', paths: ['/bridge'], ...bridge, handle: showBridge },
  { id: 'endBridge', method: 'delete', paths: ['/bridge'], ...bridge, handle: endBridge },
  {
    id: 'readBridgeScript',
    method: 'get',
    paths: ['/bridge/window.js'],
    ...bridge,
    guard: 'asset',
    handle: readBridgeScript,
  },
];
