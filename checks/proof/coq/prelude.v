(* What every exported file stands on: the functions of boundaudit's expressions, and their laws. No axiom is added. *)
From Coq Require Export Reals Lra Lia ZArith List Psatz.
From Coquelicot Require Export Coquelicot.
From Interval Require Export Tactic.
Open Scope R_scope.

(* --- the functions of expressions --------------------------------------------------------------------------- *)

Definition integer (x : R) : Prop := exists z : Z, x = IZR z.
Definition floor (x : R) : R := IZR (Int_part x).

(* The q-th root of a number that is not negative. *)
Definition root (q : nat) (x : R) : R := if Rlt_dec 0 x then exp (ln x / INR q) else 0.

(* (-1)^y for an integer y. *)
Definition alternating (y : R) : R := if Z.even (Int_part y) then 1 else -1.

(* x^y where the exponent is no literal: 0^0 is 1, and a negative base has an integer exponent. *)
Definition power (x y : R) : R :=
  if Rlt_dec 0 x then exp (y * ln x)
  else if Req_EM_T x 0 then (if Req_EM_T y 0 then 1 else 0)
  else alternating y * exp (y * ln (- x)).

(* The sum of f over the integers from low to high; 0 where there are none. *)
Fixpoint terms (n : nat) (g : nat -> R) : R := match n with O => 0 | S m => terms m g + g m end.
Definition total (low high : R) (f : R -> R) : R :=
  terms (Z.to_nat (Int_part (high - low + 1))) (fun k => f (low + INR k)).

(* A variable in place of a term: arithmetic sees no further. *)
Definition named (t : R) : {a : R | a = t} := exist _ t eq_refl.

(* --- integers ------------------------------------------------------------------------------------------------ *)

Lemma Int_part_unique x z : IZR z <= x -> x < IZR z + 1 -> Int_part x = z.
Proof.
  intros Hl Hh. unfold Int_part. rewrite <- (tech_up x (z + 1)); [lia| |]; rewrite plus_IZR; lra.
Qed.

Lemma Int_part_IZR z : Int_part (IZR z) = z.
Proof. apply Int_part_unique; lra. Qed.

Lemma floor_low x : floor x <= x.
Proof. unfold floor. destruct (base_Int_part x). lra. Qed.

Lemma floor_high x : x < floor x + 1.
Proof. unfold floor. destruct (base_Int_part x). lra. Qed.

Lemma integer_floor x : integer (floor x).
Proof. exists (Int_part x). reflexivity. Qed.

Lemma floor_unique x y : integer y -> y <= x -> x < y + 1 -> floor x = y.
Proof. intros [z ->] Hl Hh. unfold floor. now rewrite (Int_part_unique x z). Qed.

Lemma integer_IZR z : integer (IZR z).
Proof. now exists z. Qed.

Lemma integer_add x y : integer x -> integer y -> integer (x + y).
Proof. intros [a ->] [b ->]. exists (a + b)%Z. now rewrite plus_IZR. Qed.

Lemma integer_sub x y : integer x -> integer y -> integer (x - y).
Proof. intros [a ->] [b ->]. exists (a - b)%Z. now rewrite minus_IZR. Qed.

Lemma integer_opp x : integer x -> integer (- x).
Proof. intros [a ->]. exists (- a)%Z. now rewrite opp_IZR. Qed.

Lemma integer_mul x y : integer x -> integer y -> integer (x * y).
Proof. intros [a ->] [b ->]. exists (a * b)%Z. now rewrite mult_IZR. Qed.

Lemma integer_pow x n : integer x -> integer (x ^ n).
Proof. intros [a ->]. exists (a ^ Z.of_nat n)%Z. now rewrite pow_IZR. Qed.

Lemma integer_less x y : integer x -> integer y -> x < y -> x + 1 <= y.
Proof.
  intros [a ->] [b ->] H. apply lt_IZR in H. rewrite <- (plus_IZR a 1). apply IZR_le. lia.
Qed.

(* --- positive and non-negative ------------------------------------------------------------------------------- *)

Lemma product_low a b x y : 0 <= a -> 0 <= b -> a <= x -> b <= y -> a * b <= x * y.
Proof. intros. apply Rmult_le_compat; assumption. Qed.

Lemma product_strict a b x y : 0 <= a -> 0 <= b -> a < x -> b < y -> a * b < x * y.
Proof. intros. apply Rmult_le_0_lt_compat; assumption. Qed.

Lemma square_nonneg x : 0 <= x ^ 2.
Proof. apply pow2_ge_0. Qed.

Lemma even_nonneg x n : 0 <= x ^ (2 * n).
Proof. rewrite pow_mult. apply pow_le, pow2_ge_0. Qed.

Lemma even_power_nonneg x n : Nat.even n = true -> 0 <= x ^ n.
Proof. intros H. apply Nat.even_spec in H. destruct H as [k ->]. apply even_nonneg. Qed.

Lemma inverse_nonneg x : 0 <= x -> 0 <= / x.
Proof. intros [H|<-]; [left; now apply Rinv_0_lt_compat|rewrite Rinv_0; lra]. Qed.

Lemma product_nonneg x y : 0 <= x -> 0 <= y -> 0 <= x * y.
Proof. apply Rmult_le_pos. Qed.

Lemma product_pos x y : 0 < x -> 0 < y -> 0 < x * y.
Proof. apply Rmult_lt_0_compat. Qed.

Lemma factor_nonneg x y : 0 <= x * y -> 0 < y -> 0 <= x.
Proof. nra. Qed.

Lemma factor_pos x y : 0 < x * y -> 0 < y -> 0 < x.
Proof. nra. Qed.

Lemma inverse_pos x : 0 < x -> 0 < / x.
Proof. apply Rinv_0_lt_compat. Qed.

(* --- powers and roots ---------------------------------------------------------------------------------------- *)

Lemma root_pos q x : 0 < x -> 0 < root q x.
Proof. intros H. unfold root. destruct (Rlt_dec 0 x); [apply exp_pos|lra]. Qed.

Lemma root_nonneg q x : 0 <= root q x.
Proof. unfold root. destruct (Rlt_dec 0 x); [left; apply exp_pos|lra]. Qed.

Lemma exp_INR n x : exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n IH]; [simpl; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring.
Qed.

Lemma root_power q x : (0 < q)%nat -> 0 <= x -> root q x ^ q = x.
Proof.
  intros Hq Hx. unfold root. destruct (Rlt_dec 0 x) as [H|H].
  - rewrite <- exp_INR. replace (INR q * (ln x / INR q)) with (ln x) by (field; apply not_0_INR; lia).
    now apply exp_ln.
  - replace x with 0 by lra. rewrite pow_i; [reflexivity|lia].
Qed.

Lemma power_increases q x y : (0 < q)%nat -> 0 <= x -> x < y -> x ^ q < y ^ q.
Proof.
  intros Hq Hx H. induction q as [|q IH]; [lia|].
  destruct q as [|q]; [simpl; lra|]. simpl in *. apply Rmult_le_0_lt_compat; try lra.
  - apply (Rmult_le_pos x (x ^ q)); [lra|]. now apply pow_le.
  - apply IH. lia.
Qed.

Lemma power_injective q x y : (0 < q)%nat -> 0 <= x -> 0 <= y -> x ^ q = y ^ q -> x = y.
Proof.
  intros Hq Hx Hy H. destruct (Rtotal_order x y) as [L|[E|G]]; [|assumption|].
  - pose proof (power_increases q x y Hq Hx L). lra.
  - pose proof (power_increases q y x Hq Hy G). lra.
Qed.

Lemma root_unique q x y : (0 < q)%nat -> 0 <= y -> y ^ q = x -> root q x = y.
Proof.
  intros Hq Hy H. apply (power_injective q); [assumption|apply root_nonneg|assumption|].
  rewrite root_power; [now symmetry|assumption|]. rewrite <- H. now apply pow_le.
Qed.

Lemma root_low q x y : (0 < q)%nat -> 0 <= y -> y ^ q <= x -> y <= root q x.
Proof.
  intros Hq Hy H. destruct (Rle_or_lt y (root q x)) as [L|G]; [assumption|].
  assert (0 <= x) by (apply Rle_trans with (y ^ q); [now apply pow_le|assumption]).
  pose proof (power_increases q (root q x) y Hq (root_nonneg q x) G) as P. rewrite root_power in P; lra || assumption.
Qed.

Lemma root_high q x y : (0 < q)%nat -> 0 <= y -> 0 <= x -> x <= y ^ q -> root q x <= y.
Proof.
  intros Hq Hy Hx H. destruct (Rle_or_lt (root q x) y) as [L|G]; [assumption|].
  pose proof (power_increases q y (root q x) Hq Hy G) as P. rewrite root_power in P; lra || assumption.
Qed.

Lemma root_low_strict q x y : (0 < q)%nat -> 0 <= y -> y ^ q < x -> y < root q x.
Proof.
  intros Hq Hy H. destruct (Rlt_or_le y (root q x)) as [L|G]; [assumption|].
  assert (0 <= x) by (apply Rle_trans with (y ^ q); [now apply pow_le|lra]).
  assert (root q x ^ q <= y ^ q) as P by (apply pow_incr; split; [apply root_nonneg|assumption]).
  rewrite root_power in P; lra || assumption.
Qed.

Lemma root_high_strict q x y : (0 < q)%nat -> 0 <= y -> 0 <= x -> x < y ^ q -> root q x < y.
Proof.
  intros Hq Hy Hx H. destruct (Rlt_or_le (root q x) y) as [L|G]; [assumption|].
  assert (y ^ q <= root q x ^ q) as P by (apply pow_incr; split; assumption).
  rewrite root_power in P; lra || assumption.
Qed.

Lemma root_increases q x y : (0 < q)%nat -> 0 <= x -> x <= y -> root q x <= root q y.
Proof. intros Hq Hx H. apply root_low; [assumption|apply root_nonneg|]. now rewrite root_power. Qed.

Lemma root_two x : root 2 x = sqrt x.
Proof.
  unfold root. destruct (Rlt_dec 0 x) as [H|H].
  - rewrite <- (sqrt_pow2 (exp (ln x / INR 2))) by (left; apply exp_pos). f_equal.
    rewrite <- exp_INR. replace (INR 2 * (ln x / INR 2)) with (ln x) by (simpl; field). now apply exp_ln.
  - rewrite sqrt_neg_0; [reflexivity|lra].
Qed.

Lemma root_is_exp q x r : INR q = r -> 0 < x -> root q x = exp (ln x / r).
Proof. intros <- H. unfold root. destruct (Rlt_dec 0 x); [reflexivity|lra]. Qed.

Lemma power_of_positive x y : 0 < x -> power x y = exp (y * ln x).
Proof. intros H. unfold power. destruct (Rlt_dec 0 x); [reflexivity|lra]. Qed.

Lemma power_monotone x y e : 0 <= x -> 0 <= e -> x <= y -> power x e <= power y e.
Proof.
  intros Hx He H. unfold power. destruct (Rlt_dec 0 y) as [Py|Ny].
  - destruct (Rlt_dec 0 x) as [Px|Nx].
    + destruct H as [H| ->]; [|right; reflexivity]. pose proof (ln_increasing x y Px H).
      destruct (Rle_lt_or_eq_dec _ _ He) as [P|<-]; [left; apply exp_increasing; now apply Rmult_lt_compat_l|].
      right. now rewrite !Rmult_0_l.
    + destruct (Req_EM_T x 0) as [_|N]; [|lra]. destruct (Req_EM_T e 0) as [->|_]; [|left; apply exp_pos].
      rewrite Rmult_0_l, exp_0. lra.
  - destruct (Rlt_dec 0 x); [lra|]. destruct (Req_EM_T x 0); [|lra]. destruct (Req_EM_T y 0); lra.
Qed.

Lemma inverse_unique x y : x * y = 1 -> / x = y.
Proof.
  intros H. assert (x <> 0) by (intros ->; lra). apply (Rmult_eq_reg_l x); [|assumption]. rewrite H. now apply Rinv_r.
Qed.

(* --- logarithm and exponential ------------------------------------------------------------------------------- *)

Lemma exp_IZR_mult z x : exp (IZR z * x) = powerRZ (exp x) z.
Proof.
  destruct z as [|p|p]; simpl.
  - rewrite Rmult_0_l. apply exp_0.
  - rewrite <- INR_IPR, exp_INR || rewrite <- positive_nat_Z, <- INR_IZR_INZ, exp_INR. reflexivity.
  - replace (IZR (Z.neg p) * x) with (- (INR (Pos.to_nat p) * x)).
    + now rewrite exp_Ropp, exp_INR.
    + change (Z.neg p) with (- Z.pos p)%Z. rewrite opp_IZR, <- positive_nat_Z, <- INR_IZR_INZ. ring.
Qed.

Lemma exp_multiple (n : nat) u v : v = INR n * u -> exp v = exp u ^ n.
Proof. intros ->. apply exp_INR. Qed.

Lemma exp_multiple_below (n : nat) u v : v = - (INR n * u) -> exp v = / exp u ^ n.
Proof. intros ->. now rewrite exp_Ropp, exp_INR. Qed.

Lemma exp_add u v w : w = u + v -> exp w = exp u * exp v.
Proof. intros ->. apply exp_plus. Qed.

Lemma ln_product x y z : 0 < x -> 0 < y -> z = x * y -> ln z = ln x + ln y.
Proof. intros Hx Hy ->. now apply ln_mult. Qed.

Lemma ln_power n x : 0 < x -> ln (x ^ n) = INR n * ln x.
Proof.
  intros H. induction n as [|n IH]; [simpl; rewrite ln_1; ring|].
  rewrite S_INR. simpl pow. rewrite ln_mult; [rewrite IH; ring|assumption|now apply pow_lt].
Qed.

Lemma ln_power_below n x : 0 < x -> ln (/ x ^ n) = - (INR n * ln x).
Proof. intros H. rewrite ln_Rinv; [now rewrite ln_power|now apply pow_lt]. Qed.

Lemma ln_root q x : (0 < q)%nat -> 0 < x -> ln (root q x) = ln x / INR q.
Proof. intros Hq H. unfold root. destruct (Rlt_dec 0 x); [apply ln_exp|lra]. Qed.

Lemma ln_increases x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros H [L| ->]; [left; now apply ln_increasing|right; reflexivity]. Qed.

Lemma exp_increases x y : x <= y -> exp x <= exp y.
Proof. intros [L| ->]; [left; now apply exp_increasing|right; reflexivity]. Qed.

Lemma tangent x : 0 < x -> ln x <= x - 1.
Proof.
  intros H. pose proof (exp_ineq1_le (ln x)) as P. rewrite exp_ln in P by assumption. lra.
Qed.

Lemma from_log x y : ln x <= ln y -> 0 < x -> 0 < y -> x <= y.
Proof. intros H P Q. destruct (Rle_or_lt x y) as [L|L]; [assumption|]. pose proof (ln_increasing y x Q L). lra. Qed.

Lemma from_log_strict x y : ln x < ln y -> 0 < x -> 0 < y -> x < y.
Proof. intros H P Q. now apply ln_lt_inv. Qed.

Lemma from_exp x y : exp x <= exp y -> x <= y.
Proof. intros H. destruct (Rle_or_lt x y) as [L|L]; [assumption|]. pose proof (exp_increasing y x L). lra. Qed.

Lemma from_exp_strict x y : exp x < exp y -> x < y.
Proof. apply exp_lt_inv. Qed.

Lemma from_square x y : x ^ 2 <= y ^ 2 -> 0 <= x -> 0 <= y -> x <= y.
Proof. intros. nra. Qed.

Lemma from_square_strict x y : x ^ 2 < y ^ 2 -> 0 <= x -> 0 <= y -> x < y.
Proof. intros. nra. Qed.

(* --- induction --------------------------------------------------------------------------------------------------- *)

Lemma induction (P : R -> Prop) start n :
  integer start -> integer n -> start <= n -> P start ->
  (forall m, integer m -> start <= m -> m + 1 <= n -> P m -> P (m + 1)) -> P n.
Proof.
  intros [a ->] [b ->] H H0 Hs. apply le_IZR in H.
  assert (Q : forall k : nat, (a + Z.of_nat k <= b)%Z -> P (IZR (a + Z.of_nat k))).
  { induction k as [|k IH]; intros Hk; [now rewrite Z.add_0_r|].
    replace (a + Z.of_nat (S k))%Z with (a + Z.of_nat k + 1)%Z by lia. rewrite plus_IZR. apply Hs.
    - apply integer_IZR.
    - apply IZR_le. lia.
    - rewrite <- plus_IZR. apply IZR_le. lia.
    - apply IH. lia. }
  specialize (Q (Z.to_nat (b - a))). rewrite Z2Nat.id in Q by lia. replace (a + (b - a))%Z with b in Q by lia.
  apply Q. lia.
Qed.

(* --- absolute value, larger, smaller ------------------------------------------------------------------------- *)

Lemma abs_unique x y : 0 <= y -> y ^ 2 = x ^ 2 -> Rabs x = y.
Proof.
  intros Hy H. apply (power_injective 2); [lia|apply Rabs_pos|assumption|]. now rewrite pow2_abs.
Qed.

Lemma abs_square x : Rabs x ^ 2 = x ^ 2.
Proof. apply pow2_abs. Qed.

Lemma abs_above x : x <= Rabs x.
Proof. apply Rle_abs. Qed.

Lemma abs_below x : - x <= Rabs x.
Proof. rewrite <- Rabs_Ropp. apply Rle_abs. Qed.

Lemma max_by_abs x y : Rmax x y = (x + y + Rabs (x + -1 * y)) / 2.
Proof. replace (x + -1 * y) with (x - y) by ring. unfold Rmax, Rabs. destruct (Rle_dec x y), (Rcase_abs (x - y)); lra. Qed.

Lemma min_by_abs x y : Rmin x y = (x + y - Rabs (x + -1 * y)) / 2.
Proof. replace (x + -1 * y) with (x - y) by ring. unfold Rmin, Rabs. destruct (Rle_dec x y), (Rcase_abs (x - y)); lra. Qed.

(* --- branches ------------------------------------------------------------------------------------------------- *)

Lemma below_zero c (a b : R) : 0 < - c -> (if Rlt_dec c 0 then a else b) = a.
Proof. intros H. destruct (Rlt_dec c 0); [reflexivity|lra]. Qed.

Lemma not_below_zero c (a b : R) : 0 <= c -> (if Rlt_dec c 0 then a else b) = b.
Proof. intros H. destruct (Rlt_dec c 0); [lra|reflexivity]. Qed.

Lemma at_most_zero c (a b : R) : 0 <= - c -> (if Rle_dec c 0 then a else b) = a.
Proof. intros H. destruct (Rle_dec c 0); [reflexivity|lra]. Qed.

Lemma not_at_most_zero c (a b : R) : 0 < c -> (if Rle_dec c 0 then a else b) = b.
Proof. intros H. destruct (Rle_dec c 0); [lra|reflexivity]. Qed.

Lemma is_zero c (a b : R) : c = 0 -> (if Req_EM_T c 0 then a else b) = a.
Proof. intros H. destruct (Req_EM_T c 0); [reflexivity|lra]. Qed.

Lemma is_not_zero c (a b : R) : c <> 0 -> (if Req_EM_T c 0 then a else b) = b.
Proof. intros H. destruct (Req_EM_T c 0); [lra|reflexivity]. Qed.

(* --- sums ------------------------------------------------------------------------------------------------------ *)

Lemma terms_ext n f g : (forall k, (k < n)%nat -> f k = g k) -> terms n f = terms n g.
Proof. induction n as [|n IH]; intros H; simpl; [reflexivity|]. rewrite IH, H; auto. Qed.

Lemma terms_nonneg n f : (forall k, (k < n)%nat -> 0 <= f k) -> 0 <= terms n f.
Proof.
  induction n as [|n IH]; intros H; simpl; [lra|]. assert (0 <= terms n f) by (apply IH; auto).
  assert (0 <= f n) by (apply H; lia). lra.
Qed.

Lemma terms_plus n f g : terms n (fun k => f k + g k) = terms n f + terms n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. ring. Qed.

Lemma terms_scale n c f : terms n (fun k => c * f k) = c * terms n f.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. ring. Qed.

Lemma terms_one n : terms n (fun _ => 1) = INR n.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite S_INR. simpl. rewrite IH. reflexivity. Qed.

Lemma terms_cauchy n f g :
  terms n (fun k => f k * g k) ^ 2 <= terms n (fun k => f k ^ 2) * terms n (fun k => g k ^ 2).
Proof.
  assert (P : forall a, 0 <= a ^ 2 * terms n (fun k => f k ^ 2) - 2 * a * terms n (fun k => f k * g k)
                              + terms n (fun k => g k ^ 2)).
  { intros a. induction n as [|n IH]; simpl; [lra|]. pose proof (pow2_ge_0 (a * f n - g n)). simpl in *. lra. }
  assert (F : 0 <= terms n (fun k => f k ^ 2)) by (apply terms_nonneg; intros; apply pow2_ge_0).
  assert (G : 0 <= terms n (fun k => g k ^ 2)) by (apply terms_nonneg; intros; apply pow2_ge_0).
  set (A := terms n (fun k => f k ^ 2)) in *. set (B := terms n (fun k => f k * g k)) in *.
  set (C := terms n (fun k => g k ^ 2)) in *. destruct F as [F|F].
  - specialize (P (B / A)). assert (E : (B / A) ^ 2 * A - 2 * (B / A) * B + C = C - B ^ 2 / A) by (field; lra).
    rewrite E in P. assert (B ^ 2 / A * A = B ^ 2) by (field; lra). nra.
  - rewrite <- F in *. destruct (Req_EM_T B 0) as [Z|Z]; [rewrite Z; lra|].
    specialize (P ((C + 1) / (2 * B))).
    assert (E : 2 * ((C + 1) / (2 * B)) * B = C + 1) by (field; assumption). lra.
Qed.

Lemma terms_squares n f : (forall k, 0 <= f k) -> terms n (fun k => f k ^ 2) <= terms n f ^ 2.
Proof.
  intros H. induction n as [|n IH]; simpl; [lra|].
  assert (0 <= terms n f) by (apply terms_nonneg; auto). pose proof (H n). simpl in *. nra.
Qed.

Lemma total_is low high f n : high = low + INR n - 1 -> total low high f = terms n (fun k => f (low + INR k)).
Proof.
  intros ->. unfold total. replace (low + INR n - 1 - low + 1) with (IZR (Z.of_nat n)) by (rewrite INR_IZR_INZ; ring).
  now rewrite Int_part_IZR, Nat2Z.id.
Qed.

Lemma length_of low high : integer low -> integer high -> low <= high + 1 -> exists n, high = low + INR n - 1.
Proof.
  intros [a ->] [b ->] H. exists (Z.to_nat (b - a + 1)). rewrite INR_IZR_INZ, Z2Nat.id.
  - rewrite plus_IZR, minus_IZR. ring.
  - apply le_IZR. rewrite plus_IZR, minus_IZR. lra.
Qed.

Lemma total_none low high f : integer low -> integer high -> high < low -> total low high f = 0.
Proof.
  intros [a ->] [b ->] H. unfold total.
  replace (IZR b - IZR a + 1) with (IZR (b - a + 1)) by (rewrite plus_IZR, minus_IZR; ring).
  rewrite Int_part_IZR. apply lt_IZR in H. replace (Z.to_nat (b - a + 1)) with O by lia. reflexivity.
Qed.

Ltac by_length low high Hl Hh :=
  destruct (Rle_or_lt low (high + 1)) as [within|without];
  [ let n := fresh "n" in let E := fresh "E" in
    destruct (length_of low high Hl Hh within) as [n E]; rewrite ?(total_is low high _ n E)
  | rewrite ?(total_none low high) by (assumption || lra) ].

Lemma index_within low high n k :
  integer low -> high = low + INR n - 1 -> (k < n)%nat ->
  integer (low + INR k) /\ low <= low + INR k /\ low + INR k <= high.
Proof.
  intros Hl -> Hk. repeat split.
  - apply integer_add; [assumption|]. exists (Z.of_nat k). apply INR_IZR_INZ.
  - pose proof (pos_INR k). lra.
  - assert (INR (S k) <= INR n) by (apply le_INR; lia). rewrite S_INR in *. lra.
Qed.

Lemma total_ext low high f g :
  integer low -> integer high -> (forall i, integer i -> low <= i -> i <= high -> f i = g i) ->
  total low high f = total low high g.
Proof.
  intros Hl Hh H. by_length low high Hl Hh; [|reflexivity].
  apply terms_ext. intros k Hk. destruct (index_within low high n k Hl E Hk) as (A & B & C). auto.
Qed.

Lemma total_nonneg low high f :
  integer low -> integer high -> (forall i, integer i -> low <= i -> i <= high -> 0 <= f i) -> 0 <= total low high f.
Proof.
  intros Hl Hh H. by_length low high Hl Hh; [|lra].
  apply terms_nonneg. intros k Hk. destruct (index_within low high n k Hl E Hk) as (A & B & C). auto.
Qed.

Lemma total_ordered low high f g :
  integer low -> integer high -> (forall i, integer i -> low <= i -> i <= high -> f i <= g i) ->
  total low high f <= total low high g.
Proof.
  intros Hl Hh H. by_length low high Hl Hh; [|lra].
  assert (P : 0 <= terms n (fun k => g (low + INR k) + -1 * f (low + INR k))).
  { apply terms_nonneg. intros k Hk. destruct (index_within low high n k Hl E Hk) as (A & B & C).
    pose proof (H _ A B C). lra. }
  rewrite terms_plus, terms_scale in P. lra.
Qed.

Lemma total_plus low high f g : total low high (fun i => f i + g i) = total low high f + total low high g.
Proof. apply terms_plus. Qed.

Lemma total_scale low high c f : total low high (fun i => c * f i) = c * total low high f.
Proof. apply terms_scale. Qed.

Lemma total_count low high : integer low -> integer high -> 0 <= high - low + 1 -> total low high (fun _ => 1) = high - low + 1.
Proof.
  intros Hl Hh H. by_length low high Hl Hh; [rewrite terms_one; lra|lra].
Qed.

Lemma total_last low high f :
  integer low -> integer high -> low <= high -> total low high f = total low (high - 1) f + f high.
Proof.
  intros Hl Hh H. destruct (length_of low (high - 1)) as [n E]; [assumption|apply integer_sub; [assumption|apply (integer_IZR 1)]|lra|].
  rewrite (total_is low (high - 1) f n E). rewrite (total_is low high f (S n)) by (rewrite S_INR; lra).
  simpl. f_equal. f_equal. lra.
Qed.

Lemma telescope low high (A f : R -> R) :
  integer low -> integer high -> 0 <= high - low + 1 ->
  (forall i, integer i -> low <= i -> i <= high -> A i - A (i - 1) = f i) -> A (low - 1) = 0 ->
  total low high f = A high.
Proof.
  intros Hl Hh Hn H H0. destruct (length_of low high Hl Hh) as [n E]; [lra|]. rewrite (total_is low high f n E).
  assert (P : forall m, (m <= n)%nat -> terms m (fun k => f (low + INR k)) = A (low + INR m - 1)).
  { induction m as [|m IH]; intros Hm; simpl terms.
    - simpl INR. replace (low + 0 - 1) with (low - 1) by ring. now symmetry.
    - rewrite IH by lia. destruct (index_within low high n m Hl E) as (X & Y & Z); [lia|].
      rewrite <- (H _ X Y Z), S_INR. replace (low + (INR m + 1) - 1) with (low + INR m) by ring. ring. }
  rewrite P by lia. f_equal. lra.
Qed.

Lemma cauchy low high f g :
  total low high (fun i => f i * g i) ^ 2 <= total low high (fun i => f i ^ 2) * total low high (fun i => g i ^ 2).
Proof. apply terms_cauchy. Qed.

Lemma cauchy_length f high :
  integer high -> 0 <= high -> total 1 high (fun i => f i) ^ 2 <= high * total 1 high (fun i => f i ^ 2).
Proof.
  intros Hh H. pose proof (cauchy 1 high f (fun _ => 1)) as P. cbv beta in P.
  assert (E : total 1 high (fun _ => 1 ^ 2) = high).
  { rewrite (total_ext 1 high _ (fun _ => 1)); try apply (integer_IZR 1); try assumption; [|intros; ring].
    rewrite total_count; try apply (integer_IZR 1); try assumption; lra. }
  rewrite E in P. rewrite (total_ext 1 high (fun i => f i * 1) (fun i => f i)) in P;
    try apply (integer_IZR 1); try assumption; [lra|intros; ring].
Qed.

Lemma squares_of_sum low high f :
  integer low -> integer high ->
  total low high (fun i => Rabs (f i) ^ 2) <= total low high (fun i => Rabs (f i)) ^ 2.
Proof. intros Hl Hh. apply (terms_squares _ (fun k => Rabs (f (low + INR k)))). intros. apply Rabs_pos. Qed.

Lemma term_of_sum low high f i :
  integer low -> integer high -> integer i -> low <= i -> i <= high ->
  Rabs (f i) <= total low high (fun j => Rabs (f j)).
Proof.
  intros Hl Hh Hi H1 H2. destruct (length_of low high Hl Hh) as [n E]; [lra|]. rewrite (total_is low high _ n E).
  destruct (length_of low i Hl Hi) as [m F]; [lra|].
  assert (M : (m <= n)%nat) by (apply INR_le; lra).
  assert (P : forall p, (p <= n)%nat -> (m <= p)%nat -> (0 < m)%nat -> Rabs (f i) <= terms p (fun k => Rabs (f (low + INR k)))).
  { induction p as [|p IH]; intros Hp Hm H0; [lia|]. simpl. pose proof (Rabs_pos (f (low + INR p))).
    destruct (Nat.eq_dec m (S p)) as [Q|Q].
    - assert (0 <= terms p (fun k => Rabs (f (low + INR k)))) by (apply terms_nonneg; intros; apply Rabs_pos).
      replace i with (low + INR p); [lra|]. rewrite F, Q, S_INR. ring.
    - assert (Rabs (f i) <= terms p (fun k => Rabs (f (low + INR k)))) by (apply IH; lia). lra. }
  apply P; [lia|assumption|]. apply INR_lt. simpl. lra.
Qed.

Lemma terms_positive n f : (0 < n)%nat -> (forall k, (k < n)%nat -> 0 < f k) -> 0 < terms n f.
Proof.
  intros Hn H. destruct n as [|n]; [lia|]. simpl. assert (0 <= terms n f) by (apply terms_nonneg; intros; left; auto).
  assert (0 < f n) by (apply H; lia). lra.
Qed.

Lemma total_positive low high f :
  integer low -> integer high -> low <= high -> (forall i, integer i -> low <= i -> i <= high -> 0 < f i) ->
  0 < total low high f.
Proof.
  intros Hl Hh Hn H. destruct (length_of low high Hl Hh) as [n E]; [lra|]. rewrite (total_is low high f n E).
  apply terms_positive; [apply INR_lt; simpl; lra|].
  intros k Hk. destruct (index_within low high n k Hl E Hk) as (A & B & C). auto.
Qed.

Lemma total_zero low high : total low high (fun _ => 0) = 0.
Proof. unfold total. induction (Z.to_nat _) as [|n IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Fixpoint literal (z : Z) (n : nat) (f : R -> R) : R :=
  match n with O => 0 | S m => f (IZR z) + literal (z + 1) m f end.

Lemma terms_first n g : terms (S n) g = g O + terms n (fun k => g (S k)).
Proof. induction n as [|n IH]; [simpl; ring|]. change (terms (S n) g + g (S n) = g O + (terms n (fun k => g (S k)) + g (S n))). rewrite IH. ring. Qed.

Lemma total_literal (z last : Z) (n : nat) low high f :
  n = Z.to_nat (last - z + 1) -> low = IZR z -> high = IZR last -> total low high f = literal z n f.
Proof.
  intros E -> ->. unfold total. replace (IZR last - IZR z + 1) with (IZR (last - z + 1))
    by (rewrite plus_IZR, minus_IZR; ring).
  rewrite Int_part_IZR, <- E. clear E. revert z. induction n as [|n IH]; intros z; [reflexivity|]. rewrite terms_first. simpl literal.
  rewrite <- IH. simpl INR. rewrite Rplus_0_r. f_equal. apply terms_ext. intros k _. f_equal.
  rewrite plus_IZR. destruct k; simpl; ring.
Qed.

(* --- alternating signs, and halves ------------------------------------------------------------------------------ *)

Lemma alternating_IZR z : alternating (IZR z) = if Z.even z then 1 else -1.
Proof. unfold alternating. now rewrite Int_part_IZR. Qed.

Lemma alternating_number z : alternating (IZR z) = if Z.even z then 1 else -1.
Proof. apply alternating_IZR. Qed.

Lemma alternating_add x y : integer x -> integer y -> alternating (x + y) = alternating x * alternating y.
Proof.
  intros [a ->] [b ->]. rewrite <- plus_IZR, !alternating_IZR, Z.even_add.
  destruct (Z.even a), (Z.even b); simpl; ring.
Qed.

Lemma alternating_multiple z x : integer x -> alternating (IZR z * x) = if Z.even z then 1 else alternating x.
Proof.
  intros [a ->]. rewrite <- mult_IZR, !alternating_IZR, Z.even_mul. destruct (Z.even z); reflexivity.
Qed.

Lemma alternating_values x : alternating x = 1 \/ alternating x = -1.
Proof. unfold alternating. destruct (Z.even _); auto. Qed.

Lemma power_of_minus_one x : integer x -> power (-1) x = alternating x.
Proof.
  intros _. unfold power. destruct (Rlt_dec 0 (-1)); [lra|]. destruct (Req_EM_T (-1) 0); [lra|].
  replace (- -1) with 1 by ring. rewrite ln_1, Rmult_0_r, exp_0. ring.
Qed.

(* Where an exponent that has become a literal is written out. *)
Lemma power_literal x z n : Z.of_nat n = z -> power x (IZR z) = x ^ n.
Proof.
  intros <-. rewrite <- INR_IZR_INZ. unfold power. destruct (Rlt_dec 0 x) as [P|P].
  - now rewrite exp_INR, exp_ln.
  - destruct (Req_EM_T x 0) as [->|N].
    + destruct n as [|n]; [simpl; destruct (Req_EM_T 0 0); lra|]. rewrite pow_i by lia.
      destruct (Req_EM_T (INR (S n)) 0) as [E|_]; [|reflexivity]. rewrite S_INR in E. pose proof (pos_INR n). lra.
    + rewrite exp_INR, exp_ln by lra. replace (x ^ n) with ((-1) ^ n * (- x) ^ n) by (rewrite <- Rpow_mult_distr; f_equal; ring).
      f_equal. rewrite INR_IZR_INZ, alternating_IZR. clear. induction n as [|n IH]; [reflexivity|].
      rewrite Nat2Z.inj_succ, Z.even_succ, <- Z.negb_even. simpl pow. rewrite <- IH. destruct (Z.even _); simpl; ring.
Qed.

Lemma power_literal_below x z n : (- Z.of_nat n)%Z = z -> power x (IZR z) = / x ^ n.
Proof.
  intros <-. rewrite <- (power_literal x (Z.of_nat n) n eq_refl), opp_IZR. unfold power. destruct (Rlt_dec 0 x).
  - rewrite <- exp_Ropp. f_equal. ring.
  - destruct (Req_EM_T x 0).
    + destruct (Req_EM_T (- _) 0), (Req_EM_T _ 0); rewrite ?Rinv_1, ?Rinv_0; lra.
    + rewrite Rinv_mult, <- exp_Ropp, <- opp_IZR, !alternating_IZR, Z.even_opp, opp_IZR.
      f_equal; [destruct (Z.even _); field|f_equal; ring].
Qed.

Lemma alternating_square x : integer x -> power (-1) x ^ 2 = 1.
Proof. intros H. rewrite power_of_minus_one by assumption. destruct (alternating_values x) as [-> | ->]; ring. Qed.

Lemma alternating_within x : integer x -> -1 <= power (-1) x <= 1.
Proof. intros H. rewrite power_of_minus_one by assumption. destruct (alternating_values x) as [-> | ->]; lra. Qed.

Lemma integer_alternating x : integer (power (-1) x).
Proof.
  unfold power. destruct (Rlt_dec 0 (-1)); [lra|]. destruct (Req_EM_T (-1) 0); [lra|].
  replace (- -1) with 1 by ring. rewrite ln_1, Rmult_0_r, exp_0, Rmult_1_r.
  destruct (alternating_values x) as [-> | ->]; apply integer_IZR.
Qed.

Lemma floor_of_integer x : integer x -> floor x = x.
Proof. intros H. apply floor_unique; [assumption|lra|lra]. Qed.

Lemma floor_of_half x : integer x -> floor (x / 2) = x / 2 + (alternating x - 1) / 4.
Proof.
  intros [a ->]. rewrite alternating_IZR. destruct (Z.Even_or_Odd a) as [[b ->]|[b ->]].
  - rewrite Z.even_mul, mult_IZR. change (Z.even 2 || Z.even b)%bool with true. cbv iota.
    apply floor_unique; [exists b; field|lra|lra].
  - rewrite Z.even_add, Z.even_mul, plus_IZR, mult_IZR. change (Bool.eqb (Z.even 2 || Z.even b) (Z.even 1)) with false.
    cbv iota. apply floor_unique; [exists b; field|lra|lra].
Qed.

(* --- derivatives ------------------------------------------------------------------------------------------------- *)

(* The mean value theorem, with a derivative inside of an interval only. *)
Lemma mean_value f df a b :
  a < b -> (forall t, a < t -> t < b -> is_derive f t (df t)) ->
  (forall t, a <= t -> t <= b -> continuity_pt f t) -> exists c, a < c < b /\ f b - f a = df c * (b - a).
Proof.
  intros H D C.
  assert (P : forall c, a < c < b -> derivable_pt f c).
  { intros c [X Y]. exists (df c). apply is_derive_Reals. now apply D. }
  destruct (MVT f id a b P (fun c _ => derivable_pt_id c) H) as (c & Q & E).
  - intros c [X Y]. now apply C.
  - intros c _. apply derivable_continuous_pt, derivable_pt_id.
  - exists c. split; [assumption|]. rewrite derive_pt_id, Rmult_1_r in E. unfold id in E. rewrite <- E, Rmult_comm.
    apply Rmult_eq_compat_r, derive_pt_eq_0, is_derive_Reals, D; apply Q.
Qed.

Lemma rises f df a b :
  a <= b -> (forall t, a < t -> t < b -> is_derive f t (df t)) -> (forall t, a <= t -> t <= b -> continuity_pt f t) ->
  (forall t, a < t -> t < b -> 0 <= df t) -> f a <= f b.
Proof.
  intros [H| ->] D C S; [|lra]. destruct (mean_value f df a b H D C) as (c & [X Y] & E).
  pose proof (S c X Y). assert (0 <= df c * (b - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma falls f df a b :
  a <= b -> (forall t, a < t -> t < b -> is_derive f t (df t)) -> (forall t, a <= t -> t <= b -> continuity_pt f t) ->
  (forall t, a < t -> t < b -> df t <= 0) -> f b <= f a.
Proof.
  intros [H| ->] D C S; [|lra]. destruct (mean_value f df a b H D C) as (c & [X Y] & E).
  pose proof (S c X Y). assert (0 <= - df c * (b - a)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma differentiable_continuous f t l : is_derive f t l -> continuity_pt f t.
Proof. intros H. apply derivable_continuous_pt. exists l. now apply is_derive_Reals. Qed.

(* A function whose slope falls is nowhere below both ends. *)
Lemma concave_between f df ddf a b x :
  a <= x -> x <= b ->
  (forall t, a < t -> t < b -> is_derive f t (df t)) -> (forall t, a < t -> t < b -> is_derive df t (ddf t)) ->
  (forall t, a <= t -> t <= b -> continuity_pt f t) -> (forall t, a < t -> t < b -> ddf t <= 0) ->
  Rmin (f a) (f b) <= f x.
Proof.
  intros [A| <-] [B| ->] D DD C S; try apply Rmin_l; try apply Rmin_r.
  destruct (Rle_or_lt (Rmin (f a) (f b)) (f x)) as [fine|L]; [assumption|exfalso].
  pose proof (Rmin_l (f a) (f b)). pose proof (Rmin_r (f a) (f b)).
  destruct (mean_value f df a x A) as (c & [X Y] & E); [intros; apply D; lra|intros; apply C; lra|].
  destruct (mean_value f df x b B) as (e & [Z W] & F); [intros; apply D; lra|intros; apply C; lra|].
  assert (df c < 0).
  { destruct (Rlt_or_le (df c) 0); [assumption|]. assert (0 <= df c * (x - a)) by (apply Rmult_le_pos; lra). lra. }
  assert (0 < df e).
  { destruct (Rlt_or_le 0 (df e)); [assumption|]. assert (0 <= - df e * (b - x)) by (apply Rmult_le_pos; lra). lra. }
  assert (df e <= df c); [|lra].
  apply (falls df ddf c e); [lra|intros; apply DD; lra| |intros; apply S; lra].
  intros. eapply differentiable_continuous. apply DD; lra.
Qed.

Lemma derivative_value (f : R -> R) (x l m : R) : is_derive f x l -> l = m -> is_derive f x m.
Proof. now intros H <-. Qed.

Lemma d_const (c x : R) : is_derive (fun _ : R => c) x 0.
Proof. apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)). Qed.

Lemma d_identity (x : R) : is_derive (fun t : R => t) x 1.
Proof. apply (is_derive_id (K := R_AbsRing)). Qed.

Lemma d_plus (f g : R -> R) x a b : is_derive f x a -> is_derive g x b -> is_derive (fun t => f t + g t) x (a + b).
Proof. intros F G. now apply (is_derive_plus (K := R_AbsRing) (V := R_NormedModule) f g). Qed.

Lemma d_mult (f g : R -> R) x a b :
  is_derive f x a -> is_derive g x b -> is_derive (fun t => f t * g t) x (a * g x + f x * b).
Proof. intros F G. apply is_derive_Reals. apply is_derive_Reals in F, G. now apply derivable_pt_lim_mult. Qed.

Lemma d_compose (f g : R -> R) x a b : is_derive f (g x) a -> is_derive g x b -> is_derive (fun t => f (g t)) x (a * b).
Proof.
  intros F G. apply is_derive_Reals. apply is_derive_Reals in F, G. now apply (derivable_pt_lim_comp g f).
Qed.

Lemma d_pow (f : R -> R) n x a : is_derive f x a -> is_derive (fun t => f t ^ n) x (INR n * f x ^ (pred n) * a).
Proof.
  intros F. apply (d_compose (fun t => t ^ n) f); [|assumption]. apply is_derive_Reals, derivable_pt_lim_pow.
Qed.

Lemma d_inverse (f : R -> R) x a : f x <> 0 -> is_derive f x a -> is_derive (fun t => / f t) x (-1 * a * / (f x ^ 2)).
Proof.
  intros N F. replace (-1 * a * / f x ^ 2) with (- a / f x ^ 2) by (unfold Rdiv; ring). now apply is_derive_inv.
Qed.

Lemma d_exp (f : R -> R) x a : is_derive f x a -> is_derive (fun t => exp (f t)) x (exp (f x) * a).
Proof. intros F. apply (d_compose exp f); [|assumption]. apply is_derive_Reals, derivable_pt_lim_exp. Qed.

Lemma d_ln (f : R -> R) x a : 0 < f x -> is_derive f x a -> is_derive (fun t => ln (f t)) x (a * / f x).
Proof.
  intros P F. rewrite Rmult_comm. apply (d_compose ln f); [|assumption]. now apply is_derive_Reals, derivable_pt_lim_ln.
Qed.

Lemma locally_positive x : 0 < x -> locally x (fun t : R => 0 < t).
Proof. intros H. now apply (open_gt 0). Qed.

Lemma d_root (f : R -> R) q x a :
  (0 < q)%nat -> 0 < f x -> is_derive f x a ->
  is_derive (fun t => root q (f t)) x (root q (f x) * / (INR q * f x) * a).
Proof.
  intros Hq P F. apply (d_compose (root q) f); [|assumption].
  apply (is_derive_ext_loc (fun t => exp (ln t * / INR q))).
  - apply (filter_imp (fun t => 0 < t)); [|now apply locally_positive].
    intros t Ht. symmetry. now apply root_is_exp.
  - rewrite (root_is_exp q (f x) (INR q)) by (reflexivity || assumption).
    apply (derivative_value _ _ (exp (ln (f x) * / INR q) * (1 * / f x * / INR q + ln (f x) * 0))).
    + apply (d_exp (fun t => ln t * / INR q)). apply (d_mult ln (fun _ => / INR q) (f x) (1 * / f x) 0); [|apply d_const].
      apply (d_ln (fun t => t) (f x) 1); [assumption|apply d_identity].
    + unfold Rdiv. field. split; [lra|apply not_0_INR; lia].
Qed.

Lemma differentiable_locally_positive (f : R -> R) x a : is_derive f x a -> 0 < f x -> locally x (fun t => 0 < f t).
Proof.
  intros F P. assert (C : continuous f x) by (apply (ex_derive_continuous f); now exists a).
  apply C. now apply (open_gt 0).
Qed.

Lemma d_power (f g : R -> R) x a b :
  0 < f x -> is_derive f x a -> is_derive g x b ->
  is_derive (fun t => power (f t) (g t)) x (power (f x) (g x) * (b * ln (f x) + g x * a * / f x)).
Proof.
  intros P F G. apply (is_derive_ext_loc (fun t => exp (g t * ln (f t)))).
  - apply (filter_imp (fun t => 0 < f t)); [|now apply (differentiable_locally_positive f x a)].
    intros t Ht. symmetry. now apply power_of_positive.
  - rewrite power_of_positive by assumption.
    apply (derivative_value _ _ (exp (g x * ln (f x)) * (b * ln (f x) + g x * (a * / f x)))); [|ring].
    apply (d_exp (fun t => g t * ln (f t))). apply (d_mult g (fun t => ln (f t)) x b (a * / f x)); [assumption|].
    now apply d_ln.
Qed.

Lemma d_total low high (f : R -> R -> R) (df : R -> R) x :
  integer low -> integer high ->
  (forall i, integer i -> low <= i -> i <= high -> is_derive (fun t => f t i) x (df i)) ->
  is_derive (fun t => total low high (f t)) x (total low high df).
Proof.
  intros Hl Hh D. unfold total. assert (W : forall k, (k < Z.to_nat (Int_part (high - low + 1)))%nat ->
    is_derive (fun t => f t (low + INR k)) x (df (low + INR k))).
  { intros k Hk. destruct Hl as [a ->], Hh as [b ->].
    replace (IZR b - IZR a + 1) with (IZR (b - a + 1)) in Hk by (rewrite plus_IZR, minus_IZR; ring).
    rewrite Int_part_IZR in Hk. apply D; rewrite INR_IZR_INZ, <- plus_IZR; [apply integer_IZR|apply IZR_le; lia..]. }
  revert W. generalize (Z.to_nat (Int_part (high - low + 1))) as n. induction n as [|n IH]; intros W; simpl.
  - apply d_const.
  - apply (d_plus (fun t => terms n (fun k => f t (low + INR k)))); [apply IH; auto|apply W; lia].
Qed.

Lemma c_const (c x : R) : continuity_pt (fun _ : R => c) x.
Proof. now apply continuity_pt_const. Qed.

Lemma c_identity (x : R) : continuity_pt (fun t : R => t) x.
Proof. apply derivable_continuous_pt, derivable_pt_id. Qed.

Lemma c_plus (f g : R -> R) x : continuity_pt f x -> continuity_pt g x -> continuity_pt (fun t => f t + g t) x.
Proof. apply continuity_pt_plus. Qed.

Lemma c_mult (f g : R -> R) x : continuity_pt f x -> continuity_pt g x -> continuity_pt (fun t => f t * g t) x.
Proof. apply continuity_pt_mult. Qed.

Lemma c_inverse (f : R -> R) x : f x <> 0 -> continuity_pt f x -> continuity_pt (fun t => / f t) x.
Proof. intros N F. now apply continuity_pt_inv. Qed.

Lemma c_compose (f g : R -> R) x : continuity_pt g x -> continuity_pt f (g x) -> continuity_pt (fun t => f (g t)) x.
Proof. apply continuity_pt_comp. Qed.

Lemma c_pow (f : R -> R) n x : continuity_pt f x -> continuity_pt (fun t => f t ^ n) x.
Proof.
  intros F. apply (c_compose (fun t => t ^ n)); [assumption|]. apply derivable_continuous_pt.
  exists (INR n * f x ^ pred n). apply derivable_pt_lim_pow.
Qed.

Lemma c_exp (f : R -> R) x : continuity_pt f x -> continuity_pt (fun t => exp (f t)) x.
Proof. intros F. apply (c_compose exp); [assumption|]. apply derivable_continuous_pt, derivable_pt_exp. Qed.

Lemma c_ln (f : R -> R) x : 0 < f x -> continuity_pt f x -> continuity_pt (fun t => ln (f t)) x.
Proof.
  intros P F. apply (c_compose ln); [assumption|]. apply derivable_continuous_pt. exists (/ f x).
  now apply derivable_pt_lim_ln.
Qed.

Lemma root_continuous q x : (0 < q)%nat -> continuity_pt (root q) x.
Proof.
  intros Hq. destruct (Rlt_or_le 0 x) as [P|P].
  - apply (differentiable_continuous _ _ (root q x * / (INR q * x) * 1)).
    apply (d_root (fun t => t) q x 1); [assumption|assumption|apply d_identity].
  - intros e He. exists (e ^ q). split; [now apply pow_lt|]. intros t [_ Ht]. simpl in *. unfold R_dist in *.
    assert (Z : root q x = 0) by (unfold root; destruct (Rlt_dec 0 x); [lra|reflexivity]).
    rewrite Z, Rminus_0_r, Rabs_pos_eq by apply root_nonneg.
    destruct (Rlt_or_le 0 t) as [L|L].
    + apply root_high_strict; [assumption|lra|lra|]. apply Rle_lt_trans with (t - x); [lra|].
      rewrite Rabs_pos_eq in Ht; lra.
    + unfold root. destruct (Rlt_dec 0 t); lra.
Qed.

Lemma c_root (f : R -> R) q x : (0 < q)%nat -> continuity_pt f x -> continuity_pt (fun t => root q (f t)) x.
Proof. intros Hq F. apply (c_compose (root q)); [assumption|now apply root_continuous]. Qed.

Lemma pade x : 1 <= x -> 2 * ((x + -1 * 1) * / (x + 1)) <= ln x.
Proof.
  intros H. set (f := fun t => ln t - 2 * ((t - 1) / (t + 1))).
  assert (D : forall t, 1 <= t -> is_derive f t ((t - 1) ^ 2 / (t * (t + 1) ^ 2))).
  { intros t Ht. unfold f. auto_derive; [lra|]. field. lra. }
  assert (P : f 1 <= f x).
  { apply (rises f (fun t => (t - 1) ^ 2 / (t * (t + 1) ^ 2))); try assumption.
    - intros t Ht _. apply D. lra.
    - intros t Ht _. eapply differentiable_continuous. now apply D.
    - intros t Ht _. apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat. nra. }
  unfold f in P. rewrite ln_1 in P. unfold Rdiv in P. replace (x + -1 * 1) with (x - 1) by ring. lra.
Qed.

(* --- tactics ------------------------------------------------------------------------------------------------- *)

(* A side condition of field: a product of factors each of which is known not to be 0. *)
Ltac nonzero :=
  repeat match goal with |- _ /\ _ => split end;
  match goal with
  | |- ?x <> 0 =>
      first
        [ assumption
        | lra
        | match goal with
          | H : ?y <> 0 |- _ =>
              let E := fresh in
              first
                [ assert (E : x = y) by ring; rewrite E; exact H
                | assert (E : x = - y) by ring; rewrite E; apply Ropp_neq_0_compat; exact H ]
          end
        | apply pow_nonzero; nonzero
        | apply Rmult_integral_contrapositive_currified; nonzero
        | apply Rinv_neq_0_compat; nonzero
        | apply Ropp_neq_0_compat; nonzero ]
  end.

(* Signs of products, quotients and powers of what is known to have one. *)
Ltac positive :=
  first
    [ assumption
    | match goal with
      | |- 0 < _ * _ => apply product_pos; positive
      | |- 0 < _ ^ _ => apply pow_lt; positive
      | |- 0 < / _ => apply inverse_pos; positive
      end
    | lra ].
Ltac nonnegative :=
  first
    [ assumption
    | left; assumption
    | match goal with
      | |- 0 <= _ * _ => apply product_nonneg; nonnegative
      | |- 0 <= (_ ^ _) ^ 2 => apply square_nonneg
      | |- 0 <= _ ^ 2 => apply square_nonneg
      | |- 0 <= _ ^ _ => first [ apply pow_le; nonnegative | apply even_power_nonneg; reflexivity ]
      | |- 0 <= / _ => first [ left; apply inverse_pos; positive | apply inverse_nonneg; nonnegative ]
      end
    | lra ].

(* An expression in integers is one. *)
Ltac whole :=
  first
    [ assumption
    | match goal with
      | |- integer (_ + _) => apply integer_add; whole
      | |- integer (_ - _) => apply integer_sub; whole
      | |- integer (_ * _) => apply integer_mul; whole
      | |- integer (- _) => apply integer_opp; whole
      | |- integer (_ ^ _) => apply integer_pow; whole
      | |- integer (floor _) => apply integer_floor
      | |- integer (power (-1) _) => apply integer_alternating
      | H : ?x = _ |- integer ?x => rewrite H; whole
      | H : ?x = _ \/ _ |- integer ?x => destruct H; whole
      | |- integer (IZR _) => apply integer_IZR
      end ].

(* Roots, powers, larger and smaller ones in functions that interval arithmetic knows. *)
Ltac in_elementary_functions :=
  rewrite ?root_two, ?max_by_abs, ?min_by_abs;
  repeat match goal with
    | |- context [root ?q ?x] =>
        let r := eval cbv in (Z.of_nat q) in
        rewrite (root_is_exp q x (IZR r)) by (first [now rewrite INR_IZR_INZ | interval with (i_prec 80)])
    | |- context [power ?x ?y] => rewrite (power_of_positive x y) by (interval with (i_prec 80))
    end.

(* An instance of an inequality under a weight that is not negative. *)
Ltac weighted instance :=
  match goal with
  | |- ?w * ?a <= ?w * ?b =>
      apply Rmult_le_compat_l; [ first [ assumption | lra | match goal with H : forall i : R, integer i -> _ |- 0 <= _ => apply H; assumption end ] | first [ exact instance | lra ] ]
  | |- _ => first [ exact instance | lra ]
  end.

(* Powers whose exponent has become a whole number, as terms spell such powers; and numbers in place of counts. *)
Ltac literal_powers :=
  repeat match goal with
    | |- context [power ?x (IZR ?z)] =>
        let n := eval cbv in (Z.abs_nat z) in
        first [ rewrite (power_literal x z n) by reflexivity | rewrite (power_literal_below x z n) by reflexivity ]
    end;
  rewrite ?pow_O, ?pow_1.
Ltac literal_powers_in H := revert H; literal_powers; intros H.
Ltac literal_counts :=
  repeat match goal with
    | |- context [INR ?n] =>
        let z := eval cbv in (Z.of_nat n) in replace (INR n) with (IZR z) by (rewrite INR_IZR_INZ; reflexivity)
    end.

(* The ends of a range, where the premises say them directly or by interval arithmetic. *)
Ltac split_ends :=
  split;
  first
    [ lra
    | match goal with
      | H : _ <= ?x |- _ <= ?x => refine (Rle_trans _ _ _ _ H); interval
      | H : ?x <= _ |- ?x <= _ => refine (Rle_trans _ _ _ H _); interval
      | H : _ < ?x |- _ <= ?x => refine (Rle_trans _ _ _ _ (Rlt_le _ _ H)); interval
      | H : ?x < _ |- ?x <= _ => refine (Rle_trans _ _ _ (Rlt_le _ _ H) _); interval
      end ].

(* The ends of a side of a box, as one fact in place of all others. *)
Ltac in_box low x high :=
  let now_in := fresh "now_in" in
  assert (now_in : low <= x <= high) by lra;
  repeat match goal with
    | H : context [x] |- _ => match type of H with low <= x <= high => fail 1 | _ => clear H end
    end.

(* An inequality without variables. *)
Ltac closed :=
  in_elementary_functions;
  first [ interval | interval with (i_prec 128) | interval with (i_prec 300) ].

(* A premise of a lemma, from the premises at hand. *)
Ltac known_here :=
  first
    [ assumption
    | lra
    | whole
    | intros; match goal with H : forall i : R, _ |- _ => apply H; first [ assumption | lra ] end
    | intuition lra ].

(* A number that is an integer, or at least as large as another one. *)
Ltac whole_or_more := first [ whole | lra | apply (integer_IZR 1) ].
