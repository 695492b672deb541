"""Which functions of PyTorch behave alike on stand-ins, by name (the same names serve functions, methods and operators)."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Metadata: read as they are.
META = _set(
    "dim size stride numel nelement element_size is_contiguous is_floating_point is_complex ndimension storage_offset type get_device __len__ "
    "is_tensor result_type can_cast promote_types is_signed is_same_size _is_view is_inference broadcast_shapes is_conj is_neg has_names "
    "__hash__ _has_compatible_shallow_copy_type __dir__ data_ptr broadcast_tensors align_as is_shared is_set_to is_storage finfo iinfo"
)
# Results that share the argument's memory: done for real, at no cost.
VIEW = _set(
    "view view_as transpose permute squeeze unsqueeze expand expand_as narrow select t detach unbind split chunk tensor_split split_with_sizes "
    "swapaxes swapdims movedim moveaxis diagonal unflatten as_strided alias real imag adjoint hsplit vsplit dsplit atleast_1d atleast_2d atleast_3d"
)
# Views where the layout allows it, else copies.
MAYBE_VIEW = _set("reshape flatten ravel contiguous reshape_as")
# What they compute depends on sizes only through equality and ones: tried out with every size renamed to a small one.
RENAME = _set(
    "abs absolute acos arccos acosh add addcdiv addcmul addmm addmv addbmm baddbmm addr and_ angle argmax argmin argsort asin asinh atan atan2 atanh "
    "binary_cross_entropy binary_cross_entropy_with_logits bitwise_and bitwise_not bitwise_or bitwise_xor bmm bool byte ceil celu clamp clamp_max clamp_min clip clone "
    "copysign cos cosh cosine_similarity cross_entropy cross_entropy_loss cummax cummin cumprod cumsum deg2rad dist div divide dot double "
    "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout feature_dropout elu embedding eq erf erfc erfinv exp exp2 expm1 fix float float_power floor floor_divide fmax fmin fmod frac "
    "gather ge gelu greater greater_equal gt half bfloat16 hardshrink hardsigmoid hardswish hardtanh heaviside hinge_embedding_loss huber_loss hypot index_fill "
    "inner int isfinite isinf isnan isneginf isposinf kl_div kthvalue l1_loss le leaky_relu lerp less less_equal lgamma linear log log10 log1p log2 log_softmax logaddexp logical_and "
    "logical_not logical_or logical_xor logit logsigmoid logsumexp long lt masked_fill matmul max maximum mean median min minimum mm mode mse_loss mul multiply mv "
    "nan_to_num nanmean nanmedian nansum ne neg negative nll_loss nll_loss2d nll_loss_nd norm normalize not_equal ones_like zeros_like rand_like randn_like empty_like full_like "
    "outer ger pairwise_distance poisson_nll_loss polar positive pow prelu prod rad2deg reciprocal relu relu6 remainder round rrelu rsqrt rsub scatter scatter_add selu sgn short "
    "sigmoid sign signbit silu sin sinc sinh smooth_l1_loss soft_margin_loss softmax softmin softplus softshrink softsign sort sqrt square std std_mean sub subtract sum amax amin aminmax all any "
    "swish mish tan tanh tanhshrink threshold tril triu triplet_margin_loss trunc true_divide type_as var var_mean vdot where xlogy margin_ranking_loss cosine_embedding_loss "
    "multilabel_soft_margin_loss gaussian_nll_loss batch_norm instance_norm scaled_dot_product_attention bilinear cdist fliplr flip flipud roll gumbel_softmax "
    "__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __div__ __rdiv__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __pow__ __rpow__ __matmul__ __rmatmul__ "
    "__neg__ __pos__ __abs__ __invert__ __and__ __or__ __xor__ __rand__ __ror__ __rxor__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ einsum "
    "cpu isclose bernoulli nan_to_num renorm logcumsumexp count_nonzero"
)
# Draws from torch's random generator.
RANDOM = _set(
    "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout feature_dropout rand_like randn_like bernoulli rrelu gumbel_softmax rand randn randint randperm normal multinomial "
    "uniform_ normal_ random_ bernoulli_ exponential_ geometric_ log_normal_ cauchy_ scaled_dot_product_attention"
)
# Only the last n dims matter for the result's; the leading ones are made small.
SPATIAL = {
    f"{name}{n}d": n
    for n in (1, 2, 3)
    for name in (
        "max_pool",
        "avg_pool",
        "lp_pool",
        "adaptive_avg_pool",
        "adaptive_max_pool",
        "_max_pool",
        "_adaptive_max_pool",
    )
}
SPATIAL.update({f"max_pool{n}d_with_indices": n for n in (1, 2, 3)})
# What the values decide: never known on a stand-in.
DATA = _set(
    "item tolist __bool__ __int__ __float__ __index__ __complex__ nonzero argwhere unique unique_consecutive masked_select bincount histc histogram numpy __array__ "
    "equal allclose is_nonzero multinomial repeat_interleave __contains__ __str__ __repr__ __format__ nonzero_static __reduce_ex__ __deepcopy__ save pack_padded_sequence"
)
FACTORY = _set(
    "empty zeros ones full rand randn randint randperm tensor as_tensor arange linspace eye empty_strided from_numpy scalar_tensor logspace normal frombuffer asarray"
)
# Methods that make a tensor from a size, on a tensor.
NEW = _set("new_zeros new_ones new_empty new_full new_tensor new")
# Done for real where the cost is small; the zeros of a stand-in can neither make them fail nor decide the shape.
SMALL_ONLY = _set(
    "index_select take take_along_dim index_add index_copy masked_scatter tile repeat meshgrid combinations cartesian_prod tril_indices triu_indices diag diag_embed trace kron "
    "topk quantile nanquantile cov corrcoef diff fold unfold im2col col2im affine_grid grid_sample one_hot local_response_norm channel_shuffle pixel_unshuffle native_dropout "
    "searchsorted bucketize vander block_diag chain_matmul tensordot hstack vstack dstack column_stack row_stack constant_pad_nd rot90 embedding_bag glu "
    "multi_margin_loss multilabel_margin_loss trapezoid trapz stft istft fft rfft ifft irfft fft_fft fft_rfft fft_ifft fft_irfft fft_fft2 fft_ifft2 linalg_norm linalg_vector_norm linalg_matrix_norm special_expit "
    "index_put renorm unfold triplet_margin_with_distance_loss _softmax _log_softmax rms_norm "
)

# Functions whose errors depend on the values of an index or target: done for real on the very values where those are known.
VALUES = _set(
    "cross_entropy nll_loss embedding gather index_select binary_cross_entropy one_hot take take_along_dim index_add scatter scatter_add multi_margin_loss"
)

# Functions whose node in the graph keeps values for backward, whatever its arguments are (where one of them requires grad).
SAVING = _set(
    "cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss binary_cross_entropy binary_cross_entropy_with_logits softmax log_softmax exp sigmoid tanh pow "
    "relu gelu silu leaky_relu elu softplus sqrt log layer_norm lstm gru rnn_tanh rnn_relu"
)
# The same, where one of the two factors requires grad.
PRODUCTS = _set("mul multiply __mul__ __rmul__ matmul __matmul__ __rmatmul__ mm bmm mv dot linear conv1d conv2d conv3d")

# Methods that give their tensor another shape or memory in place.
RESHAPES = _set(
    "unsqueeze_ squeeze_ t_ transpose_ swapaxes_ swapdims_ resize_ resize_as_ set_ as_strided_ detach_ rename_ share_memory_ apply_ map_"
)
