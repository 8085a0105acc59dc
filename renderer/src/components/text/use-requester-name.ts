import { useTranslation } from 'react-i18next';
import { visibleText } from '../../../../src/text/visible-text.ts';
import type { UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';

/** The name of a requester: parts of Sinete in the user's language, others by the name that they give themselves. */
export function useRequesterName(): (transaction: Pick<UiTransaction, 'requester' | 'requesterKind'>) => string {
  const { t } = useTranslation();
  return ({ requester, requesterKind }) => {
    switch (requesterKind) {
      case 'user-interface':
      case 'command-line':
        return t(`requester.${requesterKind}`);
      case 'native-program':
      case 'site':
      case 'application':
        return visibleText(requester);
    }
  };
}
