import { File, FileText } from './icons/index.ts';
import classes from './file-icon.module.css';

/** PDF files have an icon of their own, because PDFs are signed in another way. */
export function FileIcon({ isPdf }: { readonly isPdf: boolean }) {
  return (
    <span className={classes.fileIcon} data-pdf={isPdf}>
      {isPdf ? <FileText size={20} aria-hidden /> : <File size={20} aria-hidden />}
    </span>
  );
}
