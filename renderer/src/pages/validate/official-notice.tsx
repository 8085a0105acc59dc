import { Button, Group, Text } from '@mantine/core';
import { ExternalLink } from '../../components/icons/index.ts';
import { useTranslation } from 'react-i18next';
import type { ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { useToasts } from '../../components/toasts.tsx';
import { useCore } from '../../data/core-context.ts';

interface OfficialNoticeProps {
  readonly notice: ValidationView['report']['notice'];
}

/**
 * The note that this does not replace the official validation. The address is plain text, because the window opens no
 * addresses by itself.
 */
export function OfficialNotice({ notice }: OfficialNoticeProps) {
  const { t } = useTranslation();
  const { bridge } = useCore();
  const toasts = useToasts();
  const { desktop } = bridge;
  const open = async (): Promise<void> => {
    const result = await desktop?.call('desktop.openLink', { link: 'validar' });
    if (result?.ok === false) toasts.failed(result.error);
  };
  return (
    <Notice kind="information" title={t('validate.official')}>
      <Text size="sm">{notice.text}</Text>
      <Group gap="xs">
        <Text size="sm" fw={550}>
          {notice.label}: {notice.url}
        </Text>
        {desktop === null ? (
          <CopyButton text={notice.url} name={t('validate.officialAddress')} />
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<ExternalLink size={16} aria-hidden />}
            onClick={() => void open()}
          >
            {t('validate.openOfficial')}
          </Button>
        )}
      </Group>
    </Notice>
  );
}
