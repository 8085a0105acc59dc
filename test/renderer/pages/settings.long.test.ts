import { describePlaces } from '../places/describe-places.ts';
import { operationPlaces } from '../places/operation-places.ts';
import { settingsPlaces } from '../places/settings-places.ts';

describePlaces([...operationPlaces, ...settingsPlaces]);
