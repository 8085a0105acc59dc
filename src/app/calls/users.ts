import { toString as drawQrCode } from 'qrcode';
import type { Account } from '../../service/users/index.ts';
import type { AccountView } from '../../ui-contract/identity-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';

type UserCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `users.${string}`>>;

/** The calls about enrolled people. */
export function userCalls({ accounts }: Pick<Core, 'accounts'>): UserCalls {
  return {
    'users.list': async () => (await accounts.list()).map(accountForUi),
    'users.begin': async ({ photo, ...person }) => {
      const offer = await accounts.begin({ ...person, photo });
      return { ...offer, qrCodeSvg: await drawQrCode(offer.otpauthUri, { type: 'svg', margin: 2 }) };
    },
    'users.confirm': async ({ enrolment, code }) => {
      const { account, recoveryCodes } = await accounts.confirm(enrolment, code);
      return { account: accountForUi(account), recoveryCodes: [...recoveryCodes] };
    },
    'users.change': async ({ id, name, photo }) => accountForUi(await accounts.change(id, { name, photo })),
    'users.remove': async ({ id }) => {
      await accounts.remove(id);
      return {};
    },
  };
}

function accountForUi({ createdAt, updatedAt, ...account }: Account): AccountView {
  return { ...account, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
