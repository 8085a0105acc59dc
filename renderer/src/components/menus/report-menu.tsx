import { Button, Menu, type ButtonProps } from '@mantine/core';
import { Download } from '../icons/index.ts';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../../src/ui-contract/ui-contract.ts';

const formats = ['pdf', 'html', 'json'] as const satisfies CallInput<'validation.report'>['format'][];

export type ReportFormat = (typeof formats)[number];

interface ReportMenuProps {
  /** Text of the button. */
  readonly text: string;
  /** Accessible name, if the text alone does not identify the report. */
  readonly label?: string;
  readonly size?: ButtonProps['size'];
  readonly onChoose: (format: ReportFormat) => void;
}

/** A button that offers the formats in which a report can be saved. */
export function ReportMenu({ text, label = text, size = 'sm', onChoose }: ReportMenuProps) {
  const { t } = useTranslation();
  const icon = <Download size={size === 'xs' ? 16 : 18} aria-hidden />;
  return (
    <Menu position="bottom-end" shadow="lg" withInitialFocusPlaceholder={false} portalProps={{ target: '#content' }}>
      <Menu.Target>
        <Button size={size} variant="default" leftSection={icon} aria-label={label}>
          {text}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => onChoose(format)}>
            {t(`validate.formats.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
