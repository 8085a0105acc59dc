import { describePlaces } from '../places/describe-places.ts';
import { keyPlaces } from '../places/key-places.ts';

describePlaces([...keyPlaces]);
