import { Button, Menu } from '@mantine/core';
import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput, ValidationView } from '../../../../src/ui-contract/ui-contract.ts';
import { saveFile } from '../../components/save-file.ts';
import { useToasts } from '../../components/toasts.tsx';
import { useValidationDesk } from './use-validation-desk.ts';
import { PrintSheet } from './print-sheet.tsx';

const formats = ['pdf', 'html', 'json'] as const satisfies CallInput<'validation.report'>['format'][];

/** Print a report, or save the report in a lasting form. */
export function ReportActions({ view, isPdf }: { readonly view: ValidationView; readonly isPdf: boolean }) {
  const { t } = useTranslation();
  const validation = useValidationDesk();
  const toasts = useToasts();
  const [printed, setPrinted] = useState(0);
  const save = async (format: (typeof formats)[number]): Promise<void> => {
    const result = await validation.report(view, format);
    if (!result.ok) {
      toasts.failed(result.error);
      return;
    }
    const { name, mediaType, data } = result.value;
    const content = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    saveFile(name, new Blob([content], { type: mediaType }));
    toasts.done(t('validate.saved', { name }));
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Printer size={16} aria-hidden />}
        aria-label={t('validate.printNamed', { name: view.fileName })}
        onClick={() => setPrinted((count) => count + 1)}
      >
        {t('validate.print')}
      </Button>
      <Menu position="bottom-end" shadow="lg" withInitialFocusPlaceholder={false} portalProps={{ target: '#content' }}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<Download size={16} aria-hidden />}
            aria-label={t('validate.saveNamed', { name: view.fileName })}
          >
            {t('validate.save')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('validate.saveNamed', { name: view.fileName })}>
          {formats.map((format) => (
            <Menu.Item key={format} onClick={() => void save(format)}>
              {t(`validate.formats.${format}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {printed === 0 ? null : <PrintSheet key={printed} view={view} isPdf={isPdf} onDone={() => setPrinted(0)} />}
    </>
  );
}
