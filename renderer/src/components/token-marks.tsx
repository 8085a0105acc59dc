import { useTranslation } from 'react-i18next';
import type { TokenView } from '../../../src/ui-contract/ui-contract.ts';
import { Mark } from './status.tsx';

/** Marks for a token that is plugged in or unlocked, and a warning if its PIN is about to be blocked. */
export function TokenMarks({ token }: { readonly token: TokenView }) {
  const { t } = useTranslation();
  if (!token.present) {
    return (
      <Mark tone="neutral" icon="unplugged">
        {t('token.absent')}
      </Mark>
    );
  }
  return (
    <>
      {!token.loginRequired || token.loggedIn ? (
        <Mark tone="good" icon="unlocked">
          {t('token.unlocked')}
        </Mark>
      ) : (
        <Mark tone="neutral" icon="pin">
          {t('token.locked')}
        </Mark>
      )}
      <AttemptsMark attempts={token.pinAttempts} />
    </>
  );
}

function AttemptsMark({ attempts }: { readonly attempts: TokenView['pinAttempts'] }) {
  const { t } = useTranslation();
  switch (attempts) {
    case 'low':
      return (
        <Mark tone="warning" icon="warning">
          {t('token.pinLow')}
        </Mark>
      );
    case 'last':
      return (
        <Mark tone="bad" icon="warning">
          {t('token.pinLast')}
        </Mark>
      );
    case 'locked':
      return (
        <Mark tone="bad" icon="bad">
          {t('token.pinLocked')}
        </Mark>
      );
    case 'normal':
    case 'unknown':
      return null;
  }
}
