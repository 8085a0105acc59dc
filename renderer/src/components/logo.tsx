import iconAddress from '../../../assets/icon.svg';

/** The product's mark. The name is beside the mark, so a screen reader skips the mark. */
export function Logo({ size }: { readonly size: number }) {
  return <img src={iconAddress} width={size} height={size} alt="" />;
}
