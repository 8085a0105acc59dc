import { UserRound } from '../../components/icons/index.ts';
import classes from './users.module.css';

interface AvatarProps {
  readonly photo: string | null;
  readonly large?: boolean;
}

/** A person's photo, or a placeholder. The name is always beside the photo, so a screen reader skips the photo. */
export function Avatar({ photo, large = false }: AvatarProps) {
  const size = large ? 'large' : 'small';
  // Accepts only data URIs, so that nothing is fetched.
  if (photo !== null && /^data:image\/(png|jpeg|webp);base64,/.test(photo)) {
    return <img className={classes.avatar} data-size={size} src={photo} alt="" />;
  }
  return (
    <span className={classes.avatar} data-size={size} aria-hidden>
      <UserRound size={large ? 44 : 24} />
    </span>
  );
}
