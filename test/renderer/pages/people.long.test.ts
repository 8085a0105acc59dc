import { describePlaces } from '../places/describe-places.ts';
import { peoplePlaces } from '../places/people-places.ts';

describePlaces([...peoplePlaces]);
