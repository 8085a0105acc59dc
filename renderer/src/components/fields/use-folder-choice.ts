import { useCore } from '../../data/core-context.ts';
import { useToasts } from '../toasts.tsx';

/**
 * Asks for a folder in the desktop's dialog, beginning in the folder `from`. Null in a browser: there a person types the
 * folder.
 */
export function useFolderChoice(
  onChosen: (folder: string) => void,
): ((title: string, from?: string) => Promise<void>) | null {
  const { desktop } = useCore().bridge;
  const toasts = useToasts();
  if (desktop === null) return null;
  return async (title, from = '') => {
    const result = await desktop.call('desktop.chooseFolder', { title, ...(from === '' ? {} : { from }) });
    if (!result.ok) toasts.failed(result.error);
    else if (result.value.path !== null) onChosen(result.value.path);
  };
}
