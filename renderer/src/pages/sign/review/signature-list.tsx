import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ValidatedSignatureView } from '../../../../../src/ui-contract/validation-calls.ts';
import { Mark, type Tone } from '../../../components/status.tsx';
import { useErrorText } from '../../../i18n/error-text.ts';
import classes from './review.module.css';
import type { Signatures } from './use-signatures.ts';

const tones = {
  'TOTAL-PASSED': ['good', 'good'],
  'TOTAL-FAILED': ['bad', 'bad'],
  INDETERMINATE: ['warning', 'warning'],
} as const satisfies Record<ValidatedSignatureView['indication'], readonly [Tone, Tone]>;

/** The existing signatures of the shown file, each with its verdict. */
export function SignatureList({ signatures }: { readonly signatures: Signatures }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  switch (signatures.kind) {
    case 'none':
      return null;
    case 'reading':
      return (
        <Text size="sm" c="dimmed" role="status">
          {t('stamp.readingSignatures')}
        </Text>
      );
    case 'unknown':
      return (
        <Text size="sm" role="status">
          {t('stamp.unknownSignatures')} {errorText(signatures.error)}
        </Text>
      );
    case 'found':
      return (
        <section aria-label={t('stamp.signatures')}>
          <Text size="sm" fw={600}>
            {t('stamp.signatures')}
          </Text>
          <ul className={classes.signatures}>
            {signatures.signatures.map((one) => (
              <li key={one.id}>
                <span>{one.holder ?? one.title}</span>
                <Mark tone={tones[one.indication][0]} icon={tones[one.indication][1]}>
                  {one.verdict}
                </Mark>
                <Text size="sm" c="dimmed" component="span" className={classes.sentence}>
                  {one.sentence}
                </Text>
              </li>
            ))}
          </ul>
        </section>
      );
  }
}
