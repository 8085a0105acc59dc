import { FileBadge, FlaskConical, Usb, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import classes from './first-run.module.css';

/** A way to a key. */
export type Way = 'token' | 'import' | 'test';

const ways: readonly { readonly way: Way; readonly icon: LucideIcon }[] = [
  { way: 'import', icon: FileBadge },
  { way: 'token', icon: Usb },
  { way: 'test', icon: FlaskConical },
];

/** The ways to a key, for a choice. */
export function Ways({ onChoose }: { readonly onChoose: (way: Way) => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.ways}>
      {ways.map(({ way, icon: Icon }) => (
        <button key={way} type="button" className={classes.way} onClick={() => onChoose(way)}>
          <Icon size={26} aria-hidden />
          <span className={classes.wayTitle}>{t(`home.${way}Title`)}</span>
          <span className={classes.wayText}>{t(`home.${way}Text`)}</span>
        </button>
      ))}
    </div>
  );
}
