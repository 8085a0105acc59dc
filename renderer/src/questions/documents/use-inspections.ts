import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useCore } from '../../data/core-context.ts';
import type { ApprovalDocument } from './approval-document.ts';
import { InspectionQueue, type Inspections } from './inspection-queue.ts';

/** Inspects every document of a question, the shown document before the others. */
export function useInspections(documents: readonly ApprovalDocument[], shown: string | null): Inspections {
  const { bridge } = useCore();
  const [queue] = useState(
    () => new InspectionQueue(({ tcn, id }) => bridge.call('approvals.inspect', { tcn, documentId: id })),
  );
  useEffect(() => queue.add(documents, shown), [queue, documents, shown]);
  const onChange = useCallback((listener: () => void) => queue.onChange(listener), [queue]);
  return useSyncExternalStore(onChange, () => queue.ended());
}
