/** The tokens in the slots of a driver, seen by the child process. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  TokenFlag,
  type Cryptoki,
  type CryptokiTokenInfo,
} from '../../../../src/signing/keys/pkcs11/cryptoki/cryptoki.ts';
import { HostModule } from '../../../../src/signing/keys/pkcs11/host-module.ts';

const card = (label: string, serialNumber: string, flags = 0): CryptokiTokenInfo => ({
  label: label.padEnd(32),
  manufacturerID: 'maker',
  model: 'model',
  serialNumber: serialNumber.padEnd(16),
  flags: TokenFlag.tokenInitialized | flags,
  minPinLen: 4,
  maxPinLen: 8,
});

let slots: Map<bigint, CryptokiTokenInfo>;
let host: HostModule;

beforeEach(() => {
  slots = new Map();
  const driver = {
    C_GetSlotList: () => [...slots.keys()],
    C_GetTokenInfo: (slot: bigint) => slots.get(slot),
    C_GetMechanismList: () => [],
  };
  host = new HostModule(driver as unknown as Cryptoki, { sessions: 1 });
});

const names = (): readonly string[] => host.slots().tokens.map(({ serialNumber }) => serialNumber);

describe('tokens of a driver', () => {
  it('are all there when two have the same serial number, as the two PINs of a card do', () => {
    slots.set(1n, card('OpenPGP card (User PIN)', '000600000001'));
    slots.set(2n, card('OpenPGP card (User PIN (sig))', '000600000001'));
    expect(names()).toEqual(['000600000001', '000600000001 (OpenPGP card (User PIN (sig)))']);
    expect(names()).toEqual(['000600000001', '000600000001 (OpenPGP card (User PIN (sig)))']);
  });

  it('are told apart by their slots when label and serial number are the same', () => {
    for (const slot of [1n, 2n, 10n]) slots.set(slot, card('a', '7'));
    expect(names()).toEqual(['7', '7 (a)', '7 (a)@a']);
  });

  it('are named by label and slot without a serial number', () => {
    slots.set(1n, card('a', ''));
    slots.set(2n, card('a', ''));
    expect(names()).toEqual(['a@1', 'a@2']);
  });
});
