"""States whose objects run code of the notebook when they are used, and cells that use them: the data of ``test_only_interpreted``."""

from __future__ import annotations

PYTHON = (
    r"""
import abc, collections, numpy as np, pandas as pd, types, sys, weakref, enum, re, typing
calls=[]
class D:
    def __init__(self): self.x=0; self.l=[1]
    def __del__(self): calls.append('del')
    def setit(self): self.x=5
o=D(); os_=[D()]; od={'a':D()}
class R:
    def __repr__(self): calls.append('repr'); return 'R'
    def __str__(self): calls.append('str'); return 'R'
r=R(); rd={r:1}; rl=[r]
class M(type):
    def __instancecheck__(cls, i): calls.append('inst'); return True
    def __subclasscheck__(cls, c): calls.append('sub'); return True
    def __call__(cls,*a): calls.append('mcall'); return type.__call__(cls,*a)
    def __getattr__(cls, n): calls.append('mget'); return 1
    def __iter__(cls): calls.append('miter'); return iter([1])
    def __len__(cls): calls.append('mlen'); return 1
    def __contains__(cls,x): calls.append('mcont'); return True
    def __getitem__(cls,i): calls.append('mitem'); return 1
    def __eq__(cls,o): calls.append('meq'); return True
    def __hash__(cls): calls.append('mhash'); return 1
    def __repr__(cls): calls.append('mrepr'); return 'K'
    def __or__(cls,o): calls.append('mor'); return int
    def __bool__(cls): calls.append('mbool'); return True
    @property
    def pp(cls): calls.append('mprop'); return 1
class K(metaclass=M): pass
kk=type.__call__(K)
class A(abc.ABC):
    @classmethod
    def __subclasshook__(cls,c): calls.append('hook'); return True
sa=np.array([(r,1)],dtype=[('a',object),('b',int)])
class Mod(types.ModuleType):
    def __getattr__(self,n): calls.append('modget '+n); return 1
mod=Mod('mymod'); sys.modules['mymod']=mod
import types as _t
m2=_t.ModuleType('m2')
def _ga(n): calls.append('m2 '+n); return 1
m2.__getattr__=_ga; sys.modules['m2']=m2
class E(enum.Enum):
    A=1
    @classmethod
    def _missing_(cls,v): calls.append('missing'); return cls.A
class Err(Exception):
    def __str__(self): calls.append('errstr'); return 'x'
    def __init__(self,*a): calls.append('errinit')
class SE:
    def __set__(self,o,v): calls.append('set')
    def __get__(self,o,t=None): calls.append('get'); return 1
    def __delete__(self,o): calls.append('delete')
class Desc: q=SE()
ds=Desc()
class GA:
    def __getattribute__(self,n): calls.append('ga '+n); return object.__getattribute__(self,n)
    def __setattr__(self,n,v): calls.append('sa'); object.__setattr__(self,n,v)
    def __delattr__(self,n): calls.append('da')
    def __dir__(self): calls.append('dir'); return []
    @property
    def __class__(self): calls.append('cls'); return int
ga=GA()
class SubDict(dict):
    def __getitem__(self,k): calls.append('sdget'); return 1
    def __missing__(self,k): calls.append('miss'); return 1
    def keys(self): calls.append('keys'); return []
    def __iter__(self): calls.append('sditer'); return iter([])
    def __len__(self): calls.append('sdlen'); return 3
sd=SubDict(a=1)
class SubList(list):
    def __getitem__(self,k): calls.append('slget'); return 1
    def __iter__(self): calls.append('sliter'); return iter([])
    def __len__(self): calls.append('sllen'); return 3
    def append(self,x): calls.append('slapp')
sl=SubList([1,2])
class SubStr(str):
    def __hash__(self): calls.append('sshash'); return 1
    def __eq__(self,o): calls.append('sseq'); return True
    def upper(self): calls.append('up'); return 'U'
    def __format__(self,s): calls.append('ssfmt'); return 'x'
ss=SubStr('abc'); ssd={'abc':1}
class SubInt(int):
    def __add__(self,o): calls.append('siadd'); return 1
    __radd__=__add__
    def __index__(self): calls.append('siidx'); return 1
    def __eq__(self,o): calls.append('sieq'); return True
    def __hash__(self): calls.append('sihash'); return 1
    def __bool__(self): calls.append('sibool'); return True
si=SubInt(3)
class SubArr(np.ndarray):
    def __array_finalize__(self,o): calls.append('fin')
    def __array_ufunc__(self,*a,**k): calls.append('uf'); return 1
sarr=np.ones(3).view(SubArr)
class SubDF(pd.DataFrame):
    @property
    def _constructor(self): calls.append('ctor'); return SubDF
sdf=SubDF({'a':[1]})
class AF:
    def __array_function__(self,*a): calls.append('af'); return 1
    def __array_ufunc__(self,*a,**k): calls.append('au'); return 1
    def __array_interface__(self): calls.append('ai')
    def __len__(self): return 1
    def __float__(self): calls.append('fl'); return 1.0
af=AF()
class Fsp:
    def __fspath__(self): calls.append('fspath'); return 'x'
fsp=Fsp()
class CM:
    def __enter__(self): calls.append('enter')
    def __exit__(self,*a): calls.append('exit')
cm=CM()
class Aw:
    def __await__(self): calls.append('await'); yield
aw=Aw()
cat=pd.Categorical(['a','b'])
class Cmp:
    def __lt__(self,o): calls.append('lt'); return True
    def __gt__(self,o): calls.append('gt'); return True
cl=[Cmp(),Cmp()]
df=pd.DataFrame({'a':[1,2]})
nt=collections.namedtuple('nt','a b')(r,1)
calls.clear()
""",
    [
        "o.x=1",
        "o.setit()",
        "o.l.append(3)",
        "os_[0].x=2",
        "od['a'].x=3",
        "q=D()",
        "q=D(); del q",
        "def f():\n    t=D()\nf()",
        "[D() for _ in range(2)]",
        "import copy; copy.copy(o)",
        "import copy; copy.deepcopy(o)",
        "{}[r]",
        "rd['z']",
        "rd.pop('q')",
        "[].index(r)",
        "rl.remove(5)",
        "rl.index(3)",
        "[1][r]",
        "'a'+r",
        "r+1",
        "int(r)",
        "len(r)",
        "r()",
        "r.nope",
        "for i in r: pass",
        "a,b=r",
        "raise ValueError(r)",
        "raise KeyError(r)",
        "raise Exception(r, 1)",
        "assert False, r",
        '"%d" % r',
        "{r}.remove(1)",
        "np.zeros(3)[r]",
        "df[r]",
        "df.loc[r]",
        "df.drop(columns=[r])",
        "getattr(r,'zz')",
        "set().remove(r)",
        "rd[1]",
        "del rd[2]",
        "{**rd}[3]",
        "print(r)",
        'f"{r}"',
        "str(r)",
        '"{}".format(r)',
        "rl",
        "print(rl)",
        "str(rl)",
        'f"{rl}"',
        "repr(rd)",
        "isinstance(1,K)",
        "issubclass(int,K)",
        "K()",
        "K.zz",
        "list(K)",
        "len(K)",
        "1 in K",
        "K[0]",
        "K==1",
        "{K:1}",
        "str(K)",
        'f"{K}"',
        "K|int",
        "not K",
        "K.pp",
        "isinstance(3,(int,K))",
        "isinstance('a',(int,K))",
        "isinstance(1,A)",
        "issubclass(int,A)",
        "match_=1\nmatch 1:\n    case K(): pass",
        "match kk:\n    case K(): pass",
        "try:\n    1/0\nexcept Err: pass",
        "sa['a']==1",
        "sa==sa",
        "sa.tolist()",
        "str(sa)",
        "print(sa)",
        'f"{sa}"',
        "np.sort(sa)",
        "sa.copy()==sa",
        "sa[0]",
        "sa[0]==sa[0]",
        "str(sa[0])",
        "np.unique(sa['a'])",
        "sa['b'].sum()",
        "mod.zz",
        "from mymod import zz",
        "from m2 import qq",
        "m2.qq",
        "import mymod.sub",
        "E(5)",
        "E('zz')",
        "E['zz']",
        "E.B",
        "raise Err(1)",
        "Err(1)",
        "str(Err(1))",
        "ds.q",
        "ds.q=1",
        "del ds.q",
        "Desc.q",
        "ga.x",
        "ga.x=1",
        "dir(ga)",
        "ga.__class__",
        "isinstance(ga,int)",
        "type(ga)",
        "ga==1",
        "vars(ga)",
        "hasattr(ga,'x')",
        "sd['a']",
        "sd['q']",
        "len(sd)",
        "list(sd)",
        "dict(sd)",
        "{**sd}",
        "sd.get('q')",
        "pd.Series(sd)",
        "sd.keys()",
        "sd==1",
        "json=1",
        "sl[0]",
        "len(sl)",
        "list(sl)",
        "sl.append(1)",
        "sorted(sl)",
        "np.array(sl)",
        "pd.Series(sl)",
        "sl+[1]",
        "[*sl]",
        "sum(sl)",
        "ssd[ss]",
        "ss in ssd",
        "ss=='abc'",
        "ss.upper()",
        'f"{ss}"',
        "ss+'x'",
        "{ss:1}",
        "df[ss]",
        "getattr(df,ss)",
        "','.join([ss])",
        "'abc'.startswith(ss)",
        "print(ss)",
        "si+1",
        "1+si",
        "[1,2,3][si]",
        "si==3",
        "range(si)",
        "{si}",
        "if si: pass",
        "np.zeros(si)",
        "df.head(si)",
        "'a'*si",
        "sum([si])",
        "max(si,1)",
        "math_=round(si)",
        "sarr+1",
        "sarr[0]",
        "np.sum(sarr)",
        "np.mean(sarr)",
        "sarr.sum()",
        "df.a+sarr[:2]",
        "pd.Series(sarr)",
        "sdf['a']",
        "sdf+1",
        "sdf.head()",
        "pd.concat([sdf])",
        "sdf.copy()",
        "np.sum(af)",
        "np.add(af,1)",
        "np.array(af)",
        "np.asarray([af])",
        "af+np.ones(3)",
        "np.ones(3)+af",
        "pd.Series([1])+af",
        "open(fsp)",
        "import os; os.path.exists(fsp)",
        "pd.read_csv(fsp)",
        "with cm: pass",
        "await aw",
        "sorted(cl)",
        "max(cl)",
        "cl.sort()",
        "min(*cl)",
        "cl[0]<cl[1]",
        "np.sort(np.array(cl))",
        "pd.Series(cl).sort_values()",
        "str(nt)",
        "nt.zz",
        "nt==(1,2)",
        'f"{nt}"',
        "nt._replace(c=1)",
    ],
)
TORCH = (
    r"""
import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
calls=[]
def hit(*a,**k): calls.append('hit')
lin=nn.Linear(3,2); lin.register_forward_hook(hit)
lin2=nn.Linear(3,2); lin2.register_forward_pre_hook(hit)
seq=nn.Sequential(nn.Linear(3,2)); seq[0].register_forward_hook(hit)
w=torch.ones(3,requires_grad=True); w.register_hook(hit)
w2=torch.ones(3,requires_grad=True)
class N(nn.Module):
    def __init__(self):
        super().__init__(); self.l=nn.Linear(3,2)
    def forward(self,x): calls.append('fwd'); return self.l(x)
    def __repr__(self): calls.append('repr'); return 'N'
    def __del__(self): calls.append('del')
n=N()
lin3=nn.Linear(3,2); lin3.register_full_backward_hook(hit)
lin4=nn.Linear(3,2); lin4._register_state_dict_hook(hit); lin4._register_load_state_dict_pre_hook(hit)
opt=torch.optim.SGD(lin2.parameters(),0.1); opt.register_step_post_hook(hit); opt.register_step_pre_hook(hit)
def coll(b): calls.append('coll'); return torch.stack([q[0] for q in b])
dl=DataLoader(TensorDataset(torch.ones(4,3)),batch_size=2,collate_fn=coll)
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx,x): calls.append('F'); return x*2
    @staticmethod
    def backward(ctx,g): calls.append('B'); return g*2
class T(torch.Tensor):
    @classmethod
    def __torch_function__(cls,f,t,a=(),k=None): calls.append('tf'); return super().__torch_function__(f,t,a,k or {})
tt=torch.ones(3).as_subclass(T)
class L(nn.Linear):
    def forward(self,x): calls.append('L'); return super().forward(x)
ll=L(3,2); sq=nn.Sequential(L(3,2))
class DS(torch.utils.data.Dataset):
    def __len__(self): calls.append('len'); return 4
    def __getitem__(self,i): calls.append('item'); return torch.ones(3)
ds=DS(); dl2=DataLoader(ds,batch_size=2)
x=torch.ones(1,3)
lam=torch.optim.lr_scheduler.LambdaLR(opt, hit) if False else None
calls.clear()
""",
    [
        "lin(x)",
        "lin2(x)",
        "seq(x)",
        "(w*2).sum().backward()",
        "(w2*2).sum().backward()",
        "n(x)",
        "print(n)",
        "str(n)",
        "lin3(x).sum().backward()",
        "lin4.state_dict()",
        "lin4.load_state_dict({})",
        "opt.step()",
        "opt.zero_grad()",
        "next(iter(dl))",
        "for b in dl: break",
        "F.apply(x)",
        "F.apply(x).zz",
        "tt+1",
        "tt.sum()",
        "torch.add(tt,1)",
        "ll(x)",
        "sq(x)",
        "ds[0]",
        "len(ds)",
        "len(dl2)",
        "next(iter(dl2))",
        "for b in dl2:\n    b+torch.ones(7)",
        "n.l(x)",
        "n2=N()",
        "n2=N()\nn2(x)",
        "del n",
        "n=None",
        "import copy; copy.deepcopy(n)",
        "torch.vmap(hit)(x)",
        "torch.func.grad(hit)(w2)",
        "torch.autograd.grad(w.sum(),w)",
        "w.sum().backward()",
        "n.to('cpu')",
        "n.eval()",
        "n.apply(hit)",
        "list(n.modules())",
        "n.l.weight.data.fill_(1)",
        "ds+ds",
        "torch.utils.data.random_split(ds,[2,2])",
        "torch.utils.data.Subset(ds,[0])[0]",
        "torch.utils.data.ConcatDataset([ds,ds])[0]",
    ],
)
SKLEARN = (
    r"""
import numpy as np, pandas as pd
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.pipeline import make_pipeline, Pipeline
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer, pairwise_distances
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.base import BaseEstimator, TransformerMixin
calls=[]
def hit(*a,**k): calls.append('hit'); return a[0]
def metric(a,b): calls.append('metric'); return float(abs(a-b).sum())
def kern(a,b): calls.append('kern'); return a@b.T
def tok(s): calls.append('tok'); return s.split()
def sc(a,b): calls.append('sc'); return 1.0
X=np.arange(12.).reshape(6,2); y=np.array([0,1,0,1,0,1]); df=pd.DataFrame(X,columns=['a','b'])
ft=FunctionTransformer(hit); pipe=make_pipeline(FunctionTransformer(hit),StandardScaler()); ct=ColumnTransformer([('a',FunctionTransformer(hit),['a'])]); ct2=ColumnTransformer([('a',StandardScaler(),lambda d: calls.append('sel') or ['a'])])
knn=KNeighborsClassifier(metric=metric); svc=SVC(kernel=kern); scorer=make_scorer(sc); cv=CountVectorizer(tokenizer=tok); tf=TfidfVectorizer(analyzer=tok, preprocessor=hit)
class TR(BaseEstimator,TransformerMixin):
    def __init__(self,k=1): self.k=k
    def fit(self,X,y=None): calls.append('fit'); return self
    def transform(self,X): calls.append('tr'); return X
tr=TR(); pt=make_pipeline(TR(),LogisticRegression())
gs=GridSearchCV(LogisticRegression(),{'C':[1]},scoring=scorer,cv=2); gs2=GridSearchCV(LogisticRegression(),{'C':[1]},scoring=sc,cv=2)
kf=knn.fit(X,y); cvf=CountVectorizer(tokenizer=tok).fit(['a b'])
ftf=FunctionTransformer(hit).fit(X); pf=make_pipeline(FunctionTransformer(hit),LogisticRegression()).fit(X,y); ptf=make_pipeline(TR(),LogisticRegression()).fit(X,y)
calls.clear()
""",
    [
        "ft.fit_transform(X)",
        "ft.transform(X)",
        "ftf.transform(X)",
        "pipe.fit(X)",
        "pipe.fit_transform(X)",
        "pf.predict(X)",
        "pf.score(X,y)",
        "ct.fit_transform(df)",
        "ct2.fit(df)",
        "knn.fit(X,y)",
        "kf.predict(X)",
        "svc.fit(X,y)",
        "cross_val_score(LogisticRegression(),X,y,scoring=scorer,cv=2)",
        "cross_val_score(LogisticRegression(),X,y,scoring=sc,cv=2)",
        "cv.fit(['a b'])",
        "cvf.transform(['a'])",
        "tf.fit(['a b'])",
        "tr.fit_transform(X)",
        "tr.transform(X)",
        "pt.fit(X,y)",
        "ptf.predict(X)",
        "ptf.score(X,y)",
        "gs.fit(X,y)",
        "gs2.fit(X,y)",
        "pairwise_distances(X,metric=metric)",
        "from sklearn.base import clone; clone(pt)",
        "print(pt)",
        "str(tr)",
        "tr.get_params()",
        "tr.set_params(k=2)",
        "tr.set_params(zz=2)",
        "scorer(kf,X,y)",
        "pipe.set_output(transform='pandas')",
        "ptf[:-1].transform(X)",
        "ptf.named_steps['tr']",
        "pf[0].transform(X)",
        "from sklearn.inspection import permutation_importance; permutation_importance(kf,X,y)",
        "from sklearn.model_selection import learning_curve; learning_curve(kf,X,y,cv=2)",
        "from sklearn.ensemble import VotingClassifier; VotingClassifier([('a',pt)]).fit(X,y)",
        "ft.get_feature_names_out()",
        "StandardScaler().fit(ft.fit_transform(X))",
    ],
)
KERAS = (
    r"""
import numpy as np, tensorflow as tf, keras
from keras import layers
calls=[]
def act(x): calls.append('act'); return x
def loss(a,b): calls.append('loss'); return keras.ops.mean(a-b)
def met(a,b): calls.append('met'); return keras.ops.mean(a-b)
def init(shape,dtype=None): calls.append('init'); return keras.ops.ones(shape)
X=np.ones((8,3),'float32'); y=np.ones((8,1),'float32')
m=keras.Sequential([keras.Input((3,)),layers.Dense(2,activation=act),layers.Lambda(act),layers.Dense(1)]); m.compile('adam',loss,metrics=[met])
class CB(keras.callbacks.Callback):
    def on_epoch_end(self,e,logs=None): calls.append('cb')
cb=CB(); lcb=keras.callbacks.LambdaCallback(on_epoch_end=lambda e,l: calls.append('lcb')); lrs=keras.callbacks.LearningRateScheduler(lambda e: calls.append('lrs') or 0.1)
class Lay(layers.Layer):
    def call(self,x): calls.append('call'); return x
    def build(self,s): calls.append('build')
ly=Lay(); m2=keras.Sequential([keras.Input((3,)),Lay(),layers.Dense(1)]); m2.compile('adam','mse')
class Mod(keras.Model):
    def __init__(self): super().__init__(); self.d=layers.Dense(1)
    def call(self,x): calls.append('mcall'); return self.d(x)
    def train_step(self,d): calls.append('ts'); return {}
mm=Mod(); mm.compile('adam','mse')
@tf.function
def tfn(x): calls.append('tfn'); return x
tfn(tf.constant(1.))
ds=tf.data.Dataset.from_tensor_slices(X).map(lambda q: (calls.append('map'), q)[1])
def gen():
    calls.append('gen')
    yield X,y
gg=gen()
class Seq(keras.utils.PyDataset):
    def __len__(self): calls.append('slen'); return 2
    def __getitem__(self,i): calls.append('sitem'); return X,y
sq=Seq()
calls.clear()
""",
    [
        "m(X)",
        "m.predict(X,verbose=0)",
        "m.fit(X,y,verbose=0)",
        "m.evaluate(X,y,verbose=0)",
        "m.fit(X,y,callbacks=[cb],verbose=0)",
        "m2.fit(X,y,callbacks=[lcb,lrs],verbose=0)",
        "m2(X)",
        "m2.predict(X)",
        "ly(X)",
        "mm(X)",
        "mm.fit(X,y,verbose=0)",
        "mm.predict(X)",
        "tfn(tf.constant(2.))",
        "tfn(1)",
        "for q in ds.take(1): pass",
        "next(iter(ds))",
        "m.fit(gg,verbose=0)",
        "m.fit(gen(),verbose=0)",
        "m.fit(sq,verbose=0)",
        "m2.fit(sq,verbose=0)",
        "m.summary()",
        "m.get_config()",
        "keras.models.clone_model(m)",
        "n=keras.Sequential([keras.Input((3,)),layers.Dense(2,kernel_initializer=init)])",
        "n=keras.Sequential([keras.Input((3,)),layers.Dense(2,activation=act)])",
        "tf.map_fn(act,X)",
        "tf.py_function(act,[X],tf.float32)",
        "tf.numpy_function(act,[X],tf.float32)",
        "ds.map(act)",
        "ds.batch(2).map(act)",
        "tf.data.Dataset.from_generator(gen, output_signature=tf.TensorSpec(None))",
        "m.compile('adam',loss)",
        "m.save('x.keras')",
        "m.count_params()",
        "keras.utils.plot_model(m)",
        "layers.TimeDistributed(ly)(np.ones((1,2,3)))",
        "layers.Lambda(act)(X)",
        "with tf.GradientTape() as t:\n    l=loss(y,m(X))\nt.gradient(l,m.trainable_weights)",
        "m.layers[0](X)",
    ],
)
PLOTTING = (
    r"""
import matplotlib; matplotlib.use('agg')
import matplotlib.pyplot as plt, numpy as np, pandas as pd
from matplotlib.ticker import FuncFormatter
calls=[]
def fmt(x,p=None): calls.append('fmt'); return str(x)
def hit(*a,**k): calls.append('hit')
fig,ax=plt.subplots(); ax.plot([1,2]); ax.xaxis.set_major_formatter(FuncFormatter(fmt)); fig.canvas.mpl_connect('draw_event',hit); ax.callbacks.connect('xlim_changed',hit)
df=pd.DataFrame({'a':[1,2],'b':[3,4]})
class Art:
    def __str__(self): calls.append('str'); return 'x'
lab=Art()
calls.clear()
""",
    [
        "plt.show()",
        "fig.savefig('a.png')",
        "fig.tight_layout()",
        "fig.canvas.draw()",
        "ax.set_xlim(0,5)",
        "ax.plot([1,2,3])",
        "ax.pie([1,2],autopct=fmt)",
        "ax.set_title(lab)",
        "ax.plot([1],[2],label=lab)",
        "plt.title(lab)",
        "plt.savefig('b.png')",
        "ax.set_xticks([1,2])",
        "fig",
        "df.plot()",
        "df.plot(ax=ax)",
        "ax.legend()",
        "ax.xaxis.get_major_formatter()(1)",
        "ax.text(0,0,lab)",
        "plt.close(fig)",
        "ax.clear()",
        "ax.set_ylabel(lab)",
        "ax.set_xticklabels([lab,lab])",
        "ax.bar([lab,lab],[1,2])",
        "ax.hist([1,2],weights=lab)",
        "df.plot(title=lab)",
    ],
)
