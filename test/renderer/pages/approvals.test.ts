import { approvalPlaces } from '../places/approval-places.ts';
import { describePlaces } from '../places/describe-places.ts';

// The long run looks at the other kinds of documents too.
describePlaces(approvalPlaces.slice(0, 1));
