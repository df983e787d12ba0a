const SHIPPING = 590;

export const shipping = () => SHIPPING;
